//! The macros [`say!`] and [`count!`]; the crate `tongue` explains their purpose.
//!
//! A sentence is a literal like that of `format!`. Each of its slots is formatted as written; a
//! translation gets the finished pieces by name and may put them anywhere. A slot without a name is
//! named by its number: `{0}`, `{1}`.

use proc_macro::TokenStream;
use proc_macro2::{Span, TokenStream as Tokens};
use quote::{format_ident, quote, quote_spanned};
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Error, Expr, Ident, LitStr, Token, parse_macro_input};

/// A sentence in the reader's language: `say!("{unit} goes to {place}")`, a `String`. It takes the
/// same arguments as `format!`. A word before the sentence distinguishes two with the same wording:
/// `say!(month: "March")`.
#[proc_macro]
pub fn say(input: TokenStream) -> TokenStream {
    let said = parse_macro_input!(input as Said);
    match said.tokens() {
        Ok(tokens) => tokens.into(),
        Err(error) => error.into_compile_error().into(),
    }
}

/// A sentence that depends on a number: `count!(n, "{n} ship is lost", "{n} ships are lost")`, a
/// `String`. The number is a name, or `name = expression`; the arguments after the sentences are as
/// in [`say!`]. `count!(n, both: "{n} Infantry")` is for a sentence with one English form; other
/// languages may have more. A single sentence without `both:` does not compile.
#[proc_macro]
pub fn count(input: TokenStream) -> TokenStream {
    let counted = parse_macro_input!(input as Counted);
    match counted.tokens() {
        Ok(tokens) => tokens.into(),
        Err(error) => error.into_compile_error().into(),
    }
}

/// An argument of a sentence.
struct Given {
    name: Option<Ident>,
    value: Expr,
}

impl Parse for Given {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let is_named = input.peek(Ident) && input.peek2(Token![=]) && !input.peek2(Token![==]);
        let name = match is_named {
            true => {
                let name = input.parse()?;
                input.parse::<Token![=]>()?;
                Some(name)
            }
            false => None,
        };
        Ok(Self { name, value: input.parse()? })
    }
}

/// The arguments after the sentence.
fn rest(input: ParseStream) -> syn::Result<Vec<Given>> {
    if input.is_empty() {
        return Ok(Vec::new());
    }
    input.parse::<Token![,]>()?;
    Ok(Punctuated::<Given, Token![,]>::parse_terminated(input)?.into_iter().collect())
}

struct Said {
    sort: Option<Ident>,
    text: LitStr,
    given: Vec<Given>,
}

impl Parse for Said {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let sort = match input.peek(Ident) && input.peek2(Token![:]) {
            true => {
                let sort = input.parse()?;
                input.parse::<Token![:]>()?;
                Some(sort)
            }
            false => None,
        };
        let text = input.parse()?;
        Ok(Self { sort, text, given: rest(input)? })
    }
}

struct Counted {
    number: Given,
    one: LitStr,
    other: LitStr,
    given: Vec<Given>,
}

impl Parse for Counted {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let number = input.parse()?;
        input.parse::<Token![,]>()?;
        let both = input.peek(Ident) && input.peek2(Token![:]);
        if both {
            let word: Ident = input.parse()?;
            if word != "both" {
                return Err(Error::new(word.span(), "`both:` or two sentences"));
            }
            input.parse::<Token![:]>()?;
        }
        let one: LitStr = input.parse()?;
        let other = match both {
            true => one.clone(),
            false if input.peek(Token![,]) && input.peek2(LitStr) => {
                input.parse::<Token![,]>()?;
                input.parse()?
            }
            false => {
                let told = "the sentence for many is missing; `both:` before it says that English \
                            has one form";
                return Err(Error::new(one.span(), told));
            }
        };
        Ok(Self { number, one, other, given: rest(input)? })
    }
}

impl Said {
    fn tokens(&self) -> syn::Result<Tokens> {
        let (bound, known) = bind(&self.given);
        let text = Text::of(&self.text)?;
        let english = text.english(&known)?;
        let pieces = text.pieces(&known)?;
        let stands = &text.key;
        let said = match &self.sort {
            Some(sort) => {
                let key = format!("{sort}: {stands}");
                quote! { ::tongue::said_of_sort([#key, #stands], #english, &[#(#pieces),*]) }
            }
            None => quote! { ::tongue::said(#stands, #english, &[#(#pieces),*]) },
        };
        Ok(quote! {{
            #bound
            #said
        }})
    }
}

impl Counted {
    fn tokens(&self) -> syn::Result<Tokens> {
        let name = match (&self.number.name, &self.number.value) {
            (Some(name), _) => name.clone(),
            (None, Expr::Path(path)) if path.path.get_ident().is_some() => {
                path.path.get_ident().cloned().unwrap_or_else(|| format_ident!("n"))
            }
            (None, value) => {
                return Err(Error::new_spanned(value, "the number needs a name: `n = …`"));
            }
        };
        let value = &self.number.value;
        let (bound, mut known) = bind(&self.given);
        let number = Ident::new("number", Span::mixed_site());
        known.push((Some(name.to_string()), quote! { #number }));
        let (one, other) = (Text::of(&self.one)?, Text::of(&self.other)?);
        let (say_one, say_other) = (one.english(&known)?, other.english(&known)?);
        let mut slots = Text { slots: other.slots.clone(), ..other };
        for slot in &one.slots {
            if !slots.slots.iter().any(|s| s.name == slot.name) {
                slots.slots.push(slot.clone());
            }
        }
        let pieces = slots.pieces(&known)?;
        let keys = [&one.key, &slots.key];
        Ok(quote! {{
            let #number = &(#value);
            #bound
            let count = ::tongue::Count::count(#number);
            ::tongue::said_of([#(#keys),*], count, [#say_one, #say_other], &[#(#pieces),*])
        }})
    }
}

/// Evaluates each argument once: the statements that bind them, and each argument with its name.
fn bind(given: &[Given]) -> (Tokens, Vec<(Option<String>, Tokens)>) {
    let mut bound = Tokens::new();
    let mut known = Vec::new();
    for (i, Given { name, value }) in given.iter().enumerate() {
        let own = Ident::new(&format!("given{i}"), Span::mixed_site());
        bound.extend(quote! { let #own = &(#value); });
        known.push((name.as_ref().map(Ident::to_string), quote! { #own }));
    }
    (bound, known)
}

/// A slot of a sentence.
#[derive(Clone)]
struct Slot {
    /// Its name, or its number as a name.
    name: String,
    /// The colon and the text after it; may be empty.
    format: String,
}

/// A parsed sentence.
struct Text {
    span: Span,
    /// Parts of plain text, one more than there are slots.
    plain: Vec<String>,
    slots: Vec<Slot>,
    /// The sentence without the formats of its slots, as in a file of messages.
    key: String,
}

impl Text {
    fn of(literal: &LitStr) -> syn::Result<Self> {
        let wrong = |what: &str| Error::new(literal.span(), what);
        let (mut plain, mut slots) = (vec![String::new()], Vec::new());
        let mut key = String::new();
        let value = literal.value();
        let mut letters = value.chars().peekable();
        let mut unnamed = 0;
        while let Some(letter) = letters.next() {
            match letter {
                '{' | '}' if letters.peek() == Some(&letter) => {
                    letters.next();
                    plain.last_mut().expect("there is one").extend([letter, letter]);
                    key.extend([letter, letter]);
                }
                '{' => {
                    let inner: String = letters.by_ref().take_while(|c| *c != '}').collect();
                    let (name, format) = match inner.find(':') {
                        Some(at) => inner.split_at(at),
                        None => (inner.as_str(), ""),
                    };
                    if format.contains('$') || format.contains('*') {
                        return Err(wrong("a width of its own is no part of a sentence"));
                    }
                    let name = match name.trim() {
                        "" => {
                            unnamed += 1;
                            (unnamed - 1).to_string()
                        }
                        name => name.to_owned(),
                    };
                    key += &format!("{{{name}}}");
                    slots.push(Slot { name, format: format.to_owned() });
                    plain.push(String::new());
                }
                '}' => return Err(wrong("a bracket that nothing opens")),
                letter => {
                    plain.last_mut().expect("there is one").push(letter);
                    key.push(letter);
                }
            }
        }
        Ok(Self { span: literal.span(), plain, slots, key })
    }

    /// The value of a slot.
    fn value(&self, slot: &Slot, known: &[(Option<String>, Tokens)]) -> syn::Result<Tokens> {
        if let Ok(at) = slot.name.parse::<usize>() {
            let value = known.get(at).map(|(_, value)| value.clone());
            return value
                .ok_or_else(|| Error::new(self.span, format!("nothing is given for {at}")));
        }
        let named = known.iter().find(|(name, _)| name.as_deref() == Some(&slot.name));
        if let Some((_, value)) = named {
            return Ok(value.clone());
        }
        // The slot names a variable at the place of the sentence.
        let ident = syn::parse_str::<Ident>(&slot.name)
            .map_err(|_| Error::new(self.span, format!("{} is no name", slot.name)))?;
        let ident = Ident::new(&ident.to_string(), self.span);
        Ok(quote_spanned! { self.span => #ident })
    }

    /// The sentence in English.
    fn english(&self, known: &[(Option<String>, Tokens)]) -> syn::Result<Tokens> {
        let mut text = self.plain[0].clone();
        let mut values = Vec::new();
        for (slot, plain) in self.slots.iter().zip(&self.plain[1..]) {
            text += &format!("{{{}}}{plain}", slot.format);
            values.push(self.value(slot, known)?);
        }
        Ok(quote! { ::core::format_args!(#text, #(#values),*) })
    }

    /// The finished pieces with their names, each once.
    fn pieces(&self, known: &[(Option<String>, Tokens)]) -> syn::Result<Vec<Tokens>> {
        let mut pieces = Vec::new();
        let mut seen: Vec<&str> = Vec::new();
        for slot in &self.slots {
            if seen.contains(&slot.name.as_str()) {
                continue;
            }
            seen.push(&slot.name);
            let (name, value) = (&slot.name, self.value(slot, known)?);
            let format = format!("{{{}}}", slot.format);
            pieces.push(quote! { (#name, ::core::format_args!(#format, #value)) });
        }
        Ok(pieces)
    }
}
