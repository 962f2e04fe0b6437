
"use strict";
(function () {
  var form = document.querySelector("form"), range = document.getElementById("turn");
  var button = document.getElementById("play"), label = document.getElementById("label");
  var shown = document.querySelectorAll("img"), timer = null;
  if (shown.length < 2) { return; }
  form.hidden = false;
  function show() {
    shown.forEach(function (img, n) { img.hidden = n !== Number(range.value); });
    label.textContent = shown[Number(range.value)].dataset.label;
  }
  function stop() {
    clearInterval(timer);
    timer = null;
    button.textContent = "Play";
  }
  range.addEventListener("input", function () { stop(); show(); });
  button.addEventListener("click", function () {
    if (timer !== null) { stop(); return; }
    if (Number(range.value) === shown.length - 1) { range.value = 0; }
    button.textContent = "Stop";
    show();
    timer = setInterval(function () {
      range.value = Number(range.value) + 1;
      show();
      if (Number(range.value) === shown.length - 1) { stop(); }
    }, 700);
  });
})();
