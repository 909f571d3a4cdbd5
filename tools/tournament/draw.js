"use strict";
/* Draws every chart of the page into the element that has its name. A row of a chart that lies is 22 pixels high. */
applyTheme();
for (const chart of data.charts) {
  const [panel] = chart.panels, frame = chart.lying ? { width: 800, height: 22 * panel.at.length + 56, left: 230, right: 16, top: 10, bottom: 46 }
    : { width: 760, height: 376, left: 58, right: 16, top: 10, bottom: 46 };
  at(chart.name).append(plot(chart, panel, frame, { class: "plot", "aria-label": chart.note }).svg, chart.key.length > 0 ? keyOf(chart) : "");
}
