/** Elements as plain data, and a rendering function: only differences are written to the page. */

/** An element, or text. */
export type Child = VNode | string;

/** A string or number is the attribute's value; true: an empty attribute; false or undefined: no attribute. */
type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

export interface VNode {
  readonly tag: string;
  readonly attributes: Attributes;
  readonly children: readonly Child[];
}

type ChildArgument = Child | undefined | readonly Child[];

/** `h('b', { class: 'name' }, 'Todo 5')`; undefined children are left out. */
export function h(
  tag: string,
  attributes: Attributes,
  ...childArguments: readonly ChildArgument[]
): VNode {
  const children = childArguments.flat().filter((child) => child !== undefined) as readonly Child[];
  return { tag, attributes, children };
}

/**
 * Renders the children into `parent`. An element with the same place and tag is reused, and keeps focus, scrolling and
 * selection.
 */
export function patch(parent: Element | ShadowRoot, children: readonly Child[]): void {
  children.forEach((child, at) => {
    const old = parent.childNodes[at];
    if (typeof child === 'string') return patchText(parent, old, child);
    const known = old !== undefined && matches(old, child) ? old : undefined;
    const element = known ?? createElement(parent, child);
    if (old === undefined) parent.append(element);
    else if (known === undefined) old.replaceWith(element);
    updateAttributes(element, child.attributes);
    patch(element, child.children);
  });
  while (parent.childNodes.length > children.length) parent.lastChild?.remove();
}

function patchText(parent: Element | ShadowRoot, old: ChildNode | undefined, text: string): void {
  const known = old?.nodeType === TEXT;
  if (known && old.nodeValue !== text) old.nodeValue = text;
  if (known) return;
  if (old === undefined) parent.append(text);
  else old.replaceWith(text);
}

const ELEMENT = 1;
const TEXT = 3;
const HTML = 'http://www.w3.org/1999/xhtml';
const SVG = 'http://www.w3.org/2000/svg';

function matches(node: ChildNode, { tag }: VNode): node is Element & ChildNode {
  return node.nodeType === ELEMENT && (node as Element).localName === tag;
}

function createElement(parent: Element | ShadowRoot, { tag }: VNode): Element {
  const around = 'namespaceURI' in parent ? parent.namespaceURI : HTML;
  return parent.ownerDocument.createElementNS(tag === 'svg' ? SVG : around, tag);
}

function updateAttributes(element: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) element.removeAttribute(name);
    else {
      const text = value === true ? '' : String(value);
      if (element.getAttribute(name) !== text) element.setAttribute(name, text);
    }
  }
  for (const { name } of Array.from(element.attributes))
    if (!Object.hasOwn(attributes, name)) element.removeAttribute(name);
}
