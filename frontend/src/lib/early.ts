import { request } from './http.ts';

/** Which organisation the tab is in decides about everything else, so this list is asked for first of all. */
export const organisationsPath = '/api/org/organisations?limit=100';

const early = new Map<string, Promise<unknown>>();

/** Asks before the part that needs the answer is loaded. */
export function askEarly(path: `/api/${string}`): void {
  const answer = request(path);
  early.set(path, answer);
  // A refusal is not kept: after signing in it would be wrong.
  answer.catch(() => early.delete(path));
}

/** The early answer, once; without one it is asked for now. */
export function takeEarly<Result>(path: `/api/${string}`, signal?: AbortSignal): Promise<Result> {
  const answer = early.get(path);
  early.delete(path);
  return (answer as Promise<Result> | undefined) ?? request<Result>(path, { signal });
}
