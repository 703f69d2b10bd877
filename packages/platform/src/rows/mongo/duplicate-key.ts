/** Returns whether a unique index, or that of the given field, refused a write because such a row exists already. */
export function isDuplicateKey(error: unknown, field?: string): boolean {
  const { code, keyPattern } = (error ?? {}) as { code?: unknown; keyPattern?: Readonly<Record<string, unknown>> };
  return code === 11_000 && (field === undefined || keyPattern?.[field] !== undefined);
}
