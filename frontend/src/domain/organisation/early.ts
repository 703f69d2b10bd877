import { api, type Answer } from '../../lib/http.ts';

type Organisations = Answer<'GET /api/org/organisations'>;

/** Which organisation the tab is in decides about everything else, so this list is asked for first of all. */
export const firstOrganisations = { query: { limit: 100 } };

let early: Promise<Organisations> | null = null;

/** Asks before the part that needs the answer is loaded. */
export function askOrganisationsEarly(): void {
  early = api('GET /api/org/organisations', firstOrganisations);
  // A refusal is not kept: after signing in it would be wrong.
  early.catch(() => {
    early = null;
  });
}

/** The early answer, once; without one it is asked for now. */
export function takeOrganisations(signal?: AbortSignal): Promise<Organisations> {
  const answer = early;
  early = null;
  return answer ?? api('GET /api/org/organisations', { ...firstOrganisations, signal });
}
