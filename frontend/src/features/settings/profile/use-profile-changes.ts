import type { Me } from '@parley/contracts';
import { useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { api, isProblem } from '../../../lib/http.ts';
import { currentSession, setSession } from '../../../domain/session/session.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';

export type ProfileField = 'name' | 'picture' | 'locale' | 'timeZone';
/** One field with the value that it is to have. */
export type ProfileChange = { [Field in ProfileField]: { field: Field; value: Me[Field] } }[ProfileField];

/** What became of the change that was made last; it is said below its field. */
export type Outcome =
  | { kind: 'saving'; change: ProfileChange }
  | { kind: 'saved'; change: ProfileChange; before: ProfileChange; isUndo: boolean }
  /** Another device was faster: `now` is what it has written. */
  | { kind: 'conflict'; change: ProfileChange; now: Me[ProfileField] }
  | { kind: 'failed'; change: ProfileChange; error: unknown };

export type ProfileChanges = ReturnType<typeof useProfileChanges>;

/** Saves each field by itself, one after the other, and can take the last change back. */
export function useProfileChanges() {
  const { me } = useTab();
  const navigate = useNavigate();
  const { pathname, search, hash } = useLocation();
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const queue = useRef(Promise.resolve());

  const run = async (change: ProfileChange, isUndo: boolean): Promise<void> => {
    const session = currentSession();
    const known = session.status === 'signed-in' ? session.me : me;
    const before = { field: change.field, value: known[change.field] } as ProfileChange;
    setOutcome({ kind: 'saving', change });
    try {
      const next = await write(known, change);
      setSession({ status: 'signed-in', me: next });
      setOutcome({ kind: 'saved', change, before, isUndo });
      // The address decides in which language one reads.
      if (change.field === 'locale')
        void navigate(pathname.replace(/^\/[^/]+/, `/${change.value}`) + search + hash, { replace: true });
    } catch (error) {
      const now = stateThatWon(error);
      if (!now) return setOutcome({ kind: 'failed', change, error });
      setSession({ status: 'signed-in', me: now });
      setOutcome({ kind: 'conflict', change, now: now[change.field] });
    }
  };
  const save = (change: ProfileChange, isUndo = false): void => {
    queue.current = queue.current.then(() => run(change, isUndo));
  };
  return { outcome, save, forget: () => setOutcome(null) };
}

/** What another device changed in other fields meanwhile stays as it is; in this very field, nothing is overwritten. */
async function write(known: Me, { field, value }: ProfileChange): Promise<Me> {
  const send = ({ version }: Me) => api('PATCH /api/auth/me', { body: { version, [field]: value } });
  try {
    return await send(known);
  } catch (error) {
    const now = stateThatWon(error);
    if (now?.[field] === value) return now;
    if (now && now[field] === known[field]) return send(now);
    throw error;
  }
}

const stateThatWon = (error: unknown): Me | null =>
  isProblem(error, 'platform.conflict') ? ((error.problem.current as Me | undefined) ?? null) : null;
