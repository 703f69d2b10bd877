import type { ActiveUser, RoleKey } from '@parley/contracts';
import { ProblemError } from '../../../lib/http.ts';
import { useProblemText } from '../../../lib/problem-texts.ts';
import { useText } from '../../../lib/text.ts';
import { useRoles } from '../../../domain/role/use-roles.ts';
import { StatusShape } from '../../../ui/status-shape.tsx';
import type { PeopleAct } from '../people-act.ts';
import type { Outcomes } from '../use-many-members.ts';
import classes from './act-dialog.module.css';

type Props = { act: PeopleAct; role: RoleKey; outcomes: Outcomes; isDone: boolean };

/** Each person, and what comes of it, or came: those first who stay as they are. */
export function ActOutcomes({ act, role, outcomes, isDone }: Props) {
  const words = useOutcomeWords(act, role, isDone);
  const isRefused = ({ userId }: ActiveUser) => Number(outcomes.get(userId) !== null);
  return (
    <ul className={`p-sm ${classes.outcomes}`}>
      {act.people
        .toSorted((one, other) => isRefused(other) - isRefused(one))
        .map((person) => {
          const code = outcomes.get(person.userId);
          if (code === undefined) return null;
          return (
            <li key={person.userId}>
              <StatusShape kind={code === null ? (isDone ? 'ok' : 'waiting') : 'off'} />
              <span>
                <bdi className={classes.name}>{person.name}</bdi> <span className="p-quiet">{words(person, code)}</span>
              </span>
            </li>
          );
        })}
    </ul>
  );
}

function useOutcomeWords({ kind }: PeopleAct, role: RoleKey, isDone: boolean) {
  const { t } = useText();
  const describe = useProblemText();
  const { roles, nameOf } = useRoles();
  const rightsOf = (id: RoleKey) => roles.find((one) => one.id === id)?.permissions ?? [];
  const roleWords = (person: ActiveUser) => {
    if (person.role === role) return t({ id: 'active.outcome.same', defaultMessage: 'has this role already' });
    const [before, after] = [rightsOf(person.role), rightsOf(role)];
    return t(
      {
        id: 'active.outcome.role',
        defaultMessage:
          '{from} → {to}{gains, plural, =0 {} one {, gains # right} other {, gains # rights}}{losses, plural, =0 {} one {, loses # right} other {, loses # rights}}',
      },
      {
        from: nameOf(person.role),
        to: nameOf(role),
        gains: after.filter((right) => !before.includes(right)).length,
        losses: before.filter((right) => !after.includes(right)).length,
      },
    );
  };
  const plain = {
    end: t({ id: 'active.outcome.end', defaultMessage: 'is out and has to sign in again' }),
    suspend: t({ id: 'active.outcome.suspend', defaultMessage: 'is suspended' }),
    restore: t({ id: 'active.outcome.restore', defaultMessage: 'is active again' }),
  };
  return (person: ActiveUser, code: NonNullable<ReturnType<Outcomes['get']>> | null): string => {
    if (code === null) return kind === 'role' ? roleWords(person) : plain[kind];
    const problem = new ProblemError({ type: '', title: code, status: 0, code });
    const why = describe(problem).text;
    return isDone
      ? t({ id: 'active.outcome.failed', defaultMessage: 'was not changed. {why}' }, { why })
      : t({ id: 'active.outcome.stays', defaultMessage: 'stays as they are. {why}' }, { why });
  };
}
