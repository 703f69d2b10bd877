import { idleAfterMs, mostPresentSessions, type Presence } from '@parley/contracts';
import type { UserId } from '@parley/protocol';
import type { PresentPerson } from './presence.collection.ts';

type Sessions = PresentPerson['sessions'];

/** The people of several BFFs as one: somebody has tabs at more than one of them, of the same session too. */
export function together(rows: readonly { readonly people: readonly PresentPerson[] }[]): Map<UserId, Sessions> {
  const people = new Map<UserId, Sessions>();
  for (const { userId, sessions } of rows.flatMap((row) => row.people)) {
    const known = people.get(userId) ?? [];
    const more = sessions.filter(({ key }) => !known.some((session) => session.key === key));
    people.set(userId, [...known, ...more].slice(0, mostPresentSessions));
  }
  return people;
}

export function presenceOf(isHere: boolean, actedAt: Date | undefined, now: Date): Presence {
  if (!isHere) return 'away';
  return actedAt && now.getTime() - actedAt.getTime() < idleAfterMs ? 'online' : 'idle';
}
