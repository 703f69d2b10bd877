import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router-dom';

/** By name: any text, or one of the offered values. */
export type FilterChoices = Readonly<Record<string, 'text' | readonly string[]>>;
export type FilterValues = Readonly<Record<string, string | null>>;
export type FiltersFrom<Choices> = {
  readonly [Name in keyof Choices]: (Choices[Name] extends readonly (infer Value)[] ? Value : string) | null;
};

/** Filters stand in the address, so a view can be sent. What the address says and nobody offers counts as not set. */
export function useUrlFilters<Choices extends FilterChoices>(
  choices: Choices,
): readonly [FiltersFrom<Choices>, (part: Partial<FiltersFrom<Choices>>) => void] {
  const [search, setSearch] = useSearchParams();
  const values = Object.entries(choices).map(([name, offered]) => {
    const value = search.get(name) || null;
    return [name, offered === 'text' || value === null || offered.includes(value) ? value : null];
  });
  const serial = JSON.stringify(values);
  const filters = useMemo(
    () => Object.fromEntries(JSON.parse(serial) as [string, string | null][]) as FiltersFrom<Choices>,
    [serial],
  );
  const change = useCallback(
    (part: Partial<FiltersFrom<Choices>>) =>
      setSearch(
        (before) => {
          for (const [name, value] of Object.entries(part)) {
            if (value) before.set(name, value as string);
            else before.delete(name);
          }
          return before;
        },
        { replace: true },
      ),
    [setSearch],
  );
  return [filters, change];
}
