// Imports no zod, to keep zod out of the browser, which uses the same rules: `@parley/contracts/device`.

/** Describes a browser by the parts of its user agent that people know. Null: the user agent doesn't say. */
export type Device = {
  readonly browser: string | null;
  readonly system: string | null;
  readonly kind: 'computer' | 'phone' | 'tablet';
};

/** Checked in this order, because most browsers also claim to be browsers further down the list. */
const browsers: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['Edge', /Edg(?:e|A|iOS)?\/(\d+)/],
  ['Opera', /OPR\/(\d+)/],
  ['Samsung Internet', /SamsungBrowser\/(\d+)/],
  ['Firefox', /(?:Firefox|FxiOS)\/(\d+)/],
  ['Chrome', /(?:Chrome|CriOS)\/(\d+)/],
  ['Safari', /Version\/(\d+)[^]*Safari/],
];
const systems: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['iOS', /iPhone|iPod/],
  ['iPadOS', /iPad/],
  ['Android', /Android/],
  ['ChromeOS', /CrOS/],
  ['Windows', /Windows/],
  ['macOS', /Macintosh|Mac OS X/],
  ['Linux', /Linux|X11/],
];

export function deviceOf(userAgent: string | null): Device {
  const given = userAgent ?? '';
  const browser = browsers.find(([, pattern]) => pattern.test(given));
  const version = browser?.[1].exec(given)?.[1];
  const isTablet = /iPad|Tablet/.test(given) || (/Android/.test(given) && !/Mobile/.test(given));
  return {
    browser: browser ? `${browser[0]} ${version}` : null,
    system: systems.find(([, pattern]) => pattern.test(given))?.[0] ?? null,
    kind: isTablet ? 'tablet' : /Mobile|iPhone|iPod/.test(given) ? 'phone' : 'computer',
  };
}
