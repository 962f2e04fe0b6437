// Counts deadlines down and swaps maps while a slider moves; pages are whole without it.
"use strict";

(function () {
  function unit(n, name) {
    return n + " " + name + (n === 1 ? "" : "s");
  }

  // The two largest units, as the server writes them.
  function words(seconds) {
    var minutes = Math.max(0, Math.floor(seconds / 60));
    var days = Math.floor(minutes / 1440);
    var hours = Math.floor(minutes / 60) % 24;
    if (days > 0) { return unit(days, "day") + " " + unit(hours, "hour"); }
    if (hours > 0) { return unit(hours, "hour") + " " + unit(minutes % 60, "minute"); }
    return unit(minutes % 60, "minute");
  }

  // The server's clock, for this machine's may be wrong.
  var began = Date.parse(document.body.dataset.now || "");
  function count() {
    var now = began + performance.now();
    document.querySelectorAll("time[data-due]").forEach(function (time) {
      var left = (Date.parse(time.dateTime) - now) / 1000;
      var text = left > 0 ? "in " + words(left) : words(-left) + " ago";
      if (time.textContent !== text) { time.textContent = text; }
    });
  }
  if (!isNaN(began)) {
    count();
    setInterval(count, 15000);
  }

  var form = document.querySelector("form[data-map]");
  var map = document.getElementById("map");
  if (!form || !map) { return; }
  form.hidden = false;
  var range = form.querySelector("input[type=range]");
  var labels = JSON.parse(form.dataset.labels);
  var alt = map.alt;
  var wanted = null;
  function label() { return labels[range.value]; }
  function show() {
    wanted = null;
    var source = map.dataset.source.replace("@", range.value);
    map.src = source;
    map.alt = "After " + label() + ": " + alt;
    document.getElementById("map-link").href = source;
    document.getElementById("map-turn").textContent = label();
    // The words below are those of the turn that the page came with.
    var inWords = document.getElementById("map-words");
    if (inWords) { inWords.hidden = true; }
    if (form.method === "get" && form.getAttribute("action")) {
      history.replaceState(null, "", "?turn=" + range.value);
    }
  }
  range.addEventListener("input", function () {
    form.querySelector("output").textContent = label();
    if (wanted === null) { wanted = setTimeout(show, 120); }
  });
})();
