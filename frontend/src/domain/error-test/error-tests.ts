import type { ListedErrorTest } from '@parley/contracts';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/http.ts';
import { resourceKey } from '../../lib/query-keys.ts';

/** An error that somebody has asked for; its report is marked by the test's id. */
export class ErrorTest extends Error {
  override readonly name = 'ErrorTest';
  readonly errorTestId: string;
  readonly traceId: string;

  constructor({ id, traceId }: Pick<ListedErrorTest, 'id' | 'traceId'>) {
    super('Somebody has asked for this error on the page of error tests.');
    this.errorTestId = id;
    this.traceId = traceId;
  }
}

/** The own tests; 404 to whoever may make none. */
export const errorTestsQuery = queryOptions({
  queryKey: resourceKey('error-tests', null),
  queryFn: ({ signal }) => api('GET /api/monitoring/error-tests', { signal }),
});
