const most = 3;
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** Where two answers differ, as `items.0.name: "old" is "new"`; the first few. */
export function differences(shown: unknown, is: unknown, path = ''): string[] {
  if (isObject(shown) && isObject(is)) {
    const keys = [...new Set([...Object.keys(shown), ...Object.keys(is)])];
    return keys.flatMap((key) => differences(shown[key], is[key], path === '' ? key : `${path}.${key}`)).slice(0, most);
  }
  return Object.is(shown, is) ? [] : [`${path}: ${brief(shown)} is ${brief(is)}`];
}

const brief = (value: unknown): string => (JSON.stringify(value) ?? 'nothing').slice(0, 80);
