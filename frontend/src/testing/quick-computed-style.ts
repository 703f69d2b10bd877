/**
 * Answers `display` and `visibility`, which queries by role ask of each element and its parents, without matching every
 * rule of jsdom's style sheet; everything else is computed by jsdom. Both say the same: no style sheet is loaded in tests,
 * so only the element's kind, `hidden` and its own style decide. Where a sheet in the page sets one of them, jsdom answers.
 */
export function installQuickComputedStyle(): void {
  const computed = window.getComputedStyle.bind(window);
  window.getComputedStyle = (element, pseudo) =>
    pseudo || !element.isConnected || [...document.styleSheets].some(decides)
      ? computed(element, pseudo)
      : quickly(element, () => computed(element));

  const displays = new Map<string, string>();
  const displayOf = (element: Element): string => {
    const own = ownStyle(element, 'display');
    if (own) return own;
    if (element.hasAttribute('hidden') || dependsOnMore(element)) return computed(element).display;
    const kind = `${element.namespaceURI} ${element.localName}`;
    const known =
      displays.get(kind) ?? computed(document.createElementNS(element.namespaceURI, element.localName)).display;
    displays.set(kind, known);
    return known;
  };

  const quickly = (element: Element, whole: () => CSSStyleDeclaration): CSSStyleDeclaration => {
    let style: CSSStyleDeclaration | undefined;
    const valueOf = (name: string) =>
      name === 'display' ? displayOf(element) : name === 'visibility' ? visibilityOf(element) : undefined;
    return new Proxy({} as CSSStyleDeclaration, {
      get(_, key) {
        if (key === 'getPropertyValue')
          return (name: string) => valueOf(name) ?? (style ??= whole()).getPropertyValue(name);
        const quick = typeof key === 'string' ? valueOf(key) : undefined;
        if (quick !== undefined) return quick;
        const value: unknown = Reflect.get((style ??= whole()), key);
        return typeof value === 'function' ? value.bind(style) : value;
      },
    });
  };
}

const sheets = new WeakMap<CSSStyleSheet, boolean>();
/** Whether a sheet has a rule outside of media queries, which jsdom does not follow, that sets one of the two. */
function decides(sheet: CSSStyleSheet): boolean {
  const known = sheets.get(sheet);
  if (known !== undefined) return known;
  const found = [...sheet.cssRules].some(
    (rule) => 'style' in rule && /(?:^|[;\s])(?:display|visibility):/.test((rule as CSSStyleRule).style.cssText),
  );
  sheets.set(sheet, found);
  return found;
}

const ownStyle = (element: Element, name: 'display' | 'visibility'): string =>
  element.getAttribute('style')?.includes(name) ? (element as HTMLElement).style[name] : '';

/** What jsdom's sheet shows or hides by an attribute or by a parent. */
const dependsOnMore = (element: Element): boolean =>
  ['details', 'dialog', 'input', 'summary', 'option', 'optgroup', 'slot'].includes(element.localName) ||
  ['details', 'head'].includes(element.parentElement?.localName ?? '');

function visibilityOf(element: Element): string {
  for (let one: Element | null = element; one; one = one.parentElement) {
    const own = ownStyle(one, 'visibility');
    if (own && own !== 'inherit') return own;
  }
  return 'visible';
}
