//! Which domains belong together. The code of the public suffix list is compiled again in each
//! crate that uses it, fifteen seconds of a build, so only this crate uses it.

/// Whether two domains are the same, or belong to the same owner (relaxed alignment, RFC 9989): by
/// the public suffix list, both are below the same domain that anybody may register.
#[must_use]
pub fn aligned(a: &str, b: &str) -> bool {
    let (a, b) = (a.trim_end_matches('.').to_lowercase(), b.trim_end_matches('.').to_lowercase());
    a == b || psl::domain_str(&a).is_some_and(|owner| psl::domain_str(&b) == Some(owner))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn domains_belong_together_by_the_public_suffix_list() {
        for (a, b) in [("example.org", "mail.example.org"), ("a.x.co.uk", "b.x.co.uk"), ("a", "A")]
        {
            assert!(aligned(a, b) && aligned(b, a), "{a} {b}");
        }
        for (a, b) in [("co.uk", "x.co.uk"), ("x.co.uk", "y.co.uk"), ("org", "example.org")] {
            assert!(!aligned(a, b) && !aligned(b, a), "{a} {b}");
        }
        assert!(!aligned("a.github.io", "b.github.io"), "a host of other people's pages");
    }
}
