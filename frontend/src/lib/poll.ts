import type { Query } from '@tanstack/react-query';

/**
 * How a query is asked again every so often, once something is known. One that has failed before is left to whoever
 * reads why: each further try would take the reason off the screen until it fails as well.
 */
export const pollEvery =
  (milliseconds: number) =>
  ({ state: { data, error } }: Pick<Query, 'state'>): number | false =>
    data === undefined && error !== null ? false : milliseconds;
