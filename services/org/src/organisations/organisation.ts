/** The slug for another try after it was taken: `name`, `name-2`, `name-3` … */
export const numberedSlug = (slug: string, attempt: number): string => (attempt === 1 ? slug : `${slug}-${attempt}`);
