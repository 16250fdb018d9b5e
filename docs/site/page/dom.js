// Making elements. Text of a report reaches the page here and only here, as text: there is no way to set HTML.
//
// It decides how an element is made and which addresses a link may have; it must not know what is shown.
(function (root) {
  "use strict";

  const SVG = "http://www.w3.org/2000/svg";
  const PLAIN =
    /^(class|id|for|type|name|value|scope|colspan|tabindex|role|title|open|hidden|checked|selected|disabled|aria-[a-z]+|data-[a-z-]+|viewBox|preserveAspectRatio|x|y|x1|x2|y1|y2|width|height|rx|focusable)$/;
  const ADDRESS = /^(#|[\w.~%+@/-]+(#[\w%-]*)?$)/;

  function fill(element, attributes, children) {
    for (const [key, value] of Object.entries(attributes ?? {})) {
      if (value === null || value === undefined || value === false) continue;
      if (key === "on") {
        for (const [event, act] of Object.entries(value)) element.addEventListener(event, act);
      } else if (key === "href") {
        if (!ADDRESS.test(value)) throw new Error("this is no address of the site");
        element.setAttribute("href", value);
      } else if (PLAIN.test(key)) {
        element.setAttribute(key, value === true ? "" : String(value));
      } else {
        throw new Error(`the attribute ${key} is not foreseen`);
      }
    }
    append(element, children);
    return element;
  }

  function append(element, children) {
    for (const child of children.flat(Infinity)) {
      if (child === null || child === undefined || child === false) continue;
      element.append(child instanceof Node ? child : document.createTextNode(String(child)));
    }
  }

  /** An element with attributes, listeners (`on`) and children: nodes, text, lists of them. */
  const h = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
  const svg = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);

  /** Puts children in the place of all that an element holds. */
  function replace(element, ...children) {
    element.replaceChildren();
    append(element, children);
  }

  const LONG = 20000;

  /** Text of a model or a file in a block of its own: what could not be seen is escaped, what is very long is cut off until asked for. */
  function block(text, label) {
    const pre = h("pre", { tabindex: "0", role: "region", "aria-label": label });
    const show = (shown) => {
      const pieces = Reading.visible(shown).map((piece) =>
        piece.escaped ? h("span", { class: "escaped" }, piece.text) : piece.text,
      );
      replace(pre, pieces);
    };
    const { text: start, rest } = Reading.beginning(text, LONG);
    show(start);
    if (text === "") pre.append(h("span", { class: "quiet" }, "(empty)"));
    if (rest === 0) return pre;
    const more = h(
      "button",
      {
        type: "button",
        on: {
          click: () => {
            show(text);
            more.remove();
            pre.focus();
          },
        },
      },
      `Show the other ${rest.toLocaleString("en-US")} characters`,
    );
    return h("div", null, pre, more);
  }

  /** A short text of a model inside a line. */
  const quote = (text) =>
    Reading.visible(text).map((piece) => (piece.escaped ? h("span", { class: "escaped" }, piece.text) : piece.text));

  root.Dom = Object.freeze({ block, h, quote, replace, svg });
})(globalThis);
