import type { Page } from "playwright-core";

/** What of the page cannot be read or pressed as it is laid out, one line each: too small, cut off, beside the window, or covered. */
export function layoutFaultsOf(page: Page): Promise<string[]> {
  return page.evaluate(`(${findFaults})()`);
}

// Runs in the page, as it is written here.
const findFaults = `() => {
  const faults = new Set();
  const name = (element) => {
    const words = element.textContent.trim().slice(0, 30);
    return element.tagName.toLowerCase() + (typeof element.className === "string" && element.className ? "." + element.className.trim().replaceAll(" ", ".") : "") + (words ? " “" + words + "”" : "");
  };
  const scrolls = (element) => {
    for (let at = element.parentElement; at && at !== document.body; at = at.parentElement)
      if (/auto|scroll/.test(getComputedStyle(at).overflowX)) return true;
    return false;
  };
  const isScrolledAway = (element, x, y) => {
    for (let at = element.parentElement; at && at !== document.body; at = at.parentElement) {
      if (getComputedStyle(at).overflowX === "visible") continue;
      const { left, right, top, bottom } = at.getBoundingClientRect();
      if (x < left || x > right || y < top || y > bottom) return true;
    }
    return false;
  };
  for (const element of document.querySelectorAll("body *")) {
    const style = getComputedStyle(element);
    const rect = element.getBoundingClientRect();
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true })) continue;
    if (rect.width <= 1 || rect.height <= 1 || element.closest(".hidden, .skip, [aria-hidden], iframe")) continue;
    const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== "");
    if (hasText) {
      const scale = element instanceof SVGElement ? element.getScreenCTM().a : 1;
      const size = Number.parseFloat(style.fontSize) * scale;
      if (size < 11.9) faults.add(size.toFixed(1) + " px small: " + name(element));
      if (/hidden|clip/.test(style.overflowX) && style.textOverflow !== "ellipsis" && element.scrollWidth > element.clientWidth + 1)
        faults.add("cut off: " + name(element));
    }
    if ((rect.right > innerWidth + 1 || rect.left < -1) && !scrolls(element)) faults.add("beside the window: " + name(element));
    const around = element.parentElement;
    if (around && getComputedStyle(around).display === "block" && /static|relative/.test(style.position) && style.float === "none" && !(element instanceof SVGElement) && style.display !== "inline" && !scrolls(element)) {
      const outer = around.getBoundingClientRect();
      if (rect.width > outer.width + 1 && style.marginLeft.startsWith("-") === false) faults.add("wider than what it is in: " + name(element));
    }
    if (element.matches("a[href], button, input, select, textarea, summary")) {
      const [x, y] = [rect.left + rect.width / 2, rect.top + rect.height / 2];
      if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight || isScrolledAway(element, x, y)) continue;
      const top = document.elementFromPoint(x, y);
      const isBar = top?.closest(".bar, .tabs, .strip-status, .toasts");
      if (top && !element.contains(top) && !top.contains(element) && !isBar && !element.closest("p, .b, li > a") && style.pointerEvents !== "none")
        faults.add("covered by " + name(top) + ": " + name(element));
    }
  }
  return [...faults];
}`;
