/**
 * A short name from a long one: Latin letters folded to ASCII, everything else a hyphen; a name without any is
 * `organisation`.
 */
export function slugFrom(name: string): string {
  const ascii = name
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-');
  return (
    ascii
      .replaceAll(/^-+|-+$/g, '')
      .slice(0, 32)
      .replace(/-+$/, '') || 'organisation'
  );
}

/** The slug for another try after it was taken: `name`, `name-2`, `name-3` … */
export const numberedSlug = (slug: string, attempt: number): string => (attempt === 1 ? slug : `${slug}-${attempt}`);
