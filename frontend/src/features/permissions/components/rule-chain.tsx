import type { Role } from '@parley/contracts';
import type { AccessStep } from '@parley/contracts/permissions';
import { Ban, Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { useRoleName } from '../../../domain/role/role-names.ts';
import { useText } from '../../../lib/text.ts';
import { isBuiltIn } from '../use-hindrance.ts';
import { Mark } from './mark.tsx';
import classes from './rule-chain.module.css';

export type Rule = {
  readonly key: string;
  /** `own`: allowed for what is one's own. */
  readonly kind: 'allowed' | 'denied' | 'own';
  readonly title: ReactNode;
  readonly text: string;
};

/** The rules in the order in which they decide, the result last. */
export function RuleChain({ rules }: { rules: readonly Rule[] }) {
  return (
    <ol className={`p-sm ${classes.chain}`}>
      {rules.map(({ key, kind, title, text }) => (
        <li key={key} data-kind={kind}>
          {kind === 'own' ? <Mark kind="own" /> : kind === 'allowed' ? <Check strokeWidth={2} /> : <Ban />}
          <span>
            <b>{title}</b>
            <span className={classes.text}>{text}</span>
          </span>
        </li>
      ))}
    </ol>
  );
}

/** Words for each rule, said of a role or of one person who has it. */
export function useRules(): (steps: readonly AccessStep[], role: Pick<Role, 'id' | 'name'>) => Rule[] {
  const { t, rich } = useText();
  const roleName = useRoleName();
  const named = (parts: ReactNode[]) => <bdi key="name">{parts}</bdi>;
  return (steps, role) => {
    const values = { role: roleName(role), name: named };
    const kept = isBuiltIn(role)
      ? t({ id: 'permissions.rule.builtIn', defaultMessage: 'Built in, the same in every organisation' })
      : t({ id: 'permissions.rule.ownRole', defaultMessage: 'A role of this organisation' });
    const words = {
      membership: {
        allowed: [
          t({ id: 'permissions.rule.member', defaultMessage: 'Is a member' }),
          t({ id: 'permissions.rule.memberText', defaultMessage: 'In this organisation, and not suspended' }),
        ],
        denied: [
          t({ id: 'permissions.rule.suspended', defaultMessage: 'Is suspended' }),
          t({ id: 'permissions.rule.suspendedText', defaultMessage: 'Suspended members have no access' }),
        ],
      },
      role: {
        allowed: [
          rich({ id: 'permissions.rule.gives', defaultMessage: 'Role “<name>{role}</name>” gives it' }, values),
          kept,
        ],
        denied: [
          rich(
            { id: 'permissions.rule.givesNot', defaultMessage: 'Role “<name>{role}</name>” does not give it' },
            values,
          ),
          t({ id: 'permissions.rule.givesNotText', defaultMessage: 'What no rule gives is denied' }),
        ],
      },
      ownership: {
        allowed: [
          t({ id: 'permissions.rule.own', defaultMessage: 'It is their own' }),
          t({ id: 'permissions.rule.ownText', defaultMessage: 'Chats belong to the person who began them' }),
        ],
        denied: [
          t({ id: 'permissions.rule.ofOthers', defaultMessage: 'It is somebody else’s' }),
          t({ id: 'permissions.rule.ofOthersText', defaultMessage: 'Only its owner sees a chat, whatever the role' }),
        ],
      },
    };
    return steps.map(({ rule, allows }) => {
      const kind = allows ? 'allowed' : 'denied';
      const [title, text] = words[rule][kind];
      return { key: rule, kind, title, text: text as string };
    });
  };
}

/** The last line of a chain. */
export function useResult(): (kind: Rule['kind'], text?: string) => Rule {
  const { t } = useText();
  return (kind, text = '') => ({
    key: 'result',
    kind,
    title:
      kind === 'allowed'
        ? t({ id: 'permissions.result.allowed', defaultMessage: 'Result: allowed' })
        : kind === 'own'
          ? t({ id: 'permissions.result.own', defaultMessage: 'Result: allowed for one’s own' })
          : t({ id: 'permissions.result.denied', defaultMessage: 'Result: denied' }),
    text,
  });
}
