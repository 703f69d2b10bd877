/** Returns whether a write was refused because a unique index, or that of the given field, has such a row already. */
export function isDuplicateKey(error: unknown, field?: string): boolean {
  const { code, keyPattern } = (error ?? {}) as { code?: unknown; keyPattern?: Readonly<Record<string, unknown>> };
  return code === 11_000 && (field === undefined || keyPattern?.[field] !== undefined);
}
