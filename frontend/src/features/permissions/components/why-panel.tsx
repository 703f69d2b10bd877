import { Button } from '@mantine/core';
import type { Role } from '@parley/contracts';
import { explainAccess, type Permission } from '@parley/contracts/permissions';
import { useRoleName } from '../../../domain/role/role-names.ts';
import { useRight } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { SidePanel } from '../../../ui/side-panel.tsx';
import { useCatalogue } from '../../../domain/permission/permission-catalogue.ts';
import { isUnsaved, isWanted, type RoleEdits } from '../role-edits.ts';
import { useHindrance } from '../use-hindrance.ts';
import { markOf } from './mark.tsx';
import { PeopleOf } from './people-of.tsx';
import { RuleChain, useResult, useRules } from './rule-chain.tsx';
import panel from './panel.module.css';

type Props = {
  role: Role;
  permission: Permission;
  edits: RoleEdits;
  onToggle: (role: Role, permission: Permission) => void;
  onClose: () => void;
};

/** Why a role allows something or does not: the rules, whom it concerns, and why one cannot change it. */
export function WhyPanel({ role, permission, edits, onToggle, onClose }: Props) {
  const { t } = useText();
  const roleName = useRoleName();
  const { nameOf } = useCatalogue();
  const maySeePeople = useRight('member:read');
  const hindrance = useHindrance()(role, permission);
  const isGiven = isWanted(edits, role, permission);
  return (
    <SidePanel title={t({ id: 'permissions.why.title', defaultMessage: 'Why' })} onClose={onClose}>
      <div className={panel.about}>
        <span className="p-sm p-quiet">
          <bdi>{roleName(role)}</bdi>
        </span>
        <h3>{nameOf(permission)}</h3>
        <span className="p-meta p-mono" dir="ltr">
          {permission}
        </span>
        <Reach role={role} permission={permission} isGiven={isGiven} />
      </div>
      <Rules role={role} permission={permission} edits={edits} />
      <div className={panel.part}>
        {hindrance === null ? (
          <div className={panel.buttons}>
            <Button variant="default" onClick={() => onToggle(role, permission)}>
              {isUnsaved(edits, role, permission)
                ? t({ id: 'permissions.why.back', defaultMessage: 'Undo this change' })
                : isGiven
                  ? t({ id: 'permissions.why.take', defaultMessage: 'Take this right away' })
                  : t({ id: 'permissions.why.give', defaultMessage: 'Give this right' })}
            </Button>
          </div>
        ) : (
          <p className="p-sm p-quiet">{hindrance}</p>
        )}
      </div>
      {maySeePeople ? (
        <section className={panel.part}>
          <h3>{t({ id: 'permissions.why.people', defaultMessage: 'People it applies to' })}</h3>
          <PeopleOf
            key={role.id}
            of={{ role: role.id }}
            none={t({ id: 'permissions.people.none', defaultMessage: 'Nobody has this role.' })}
          />
        </section>
      ) : null}
    </SidePanel>
  );
}

/** For how many people, in the state that is saved or about to be. */
function Reach({ role, permission, isGiven }: { role: Role; permission: Permission; isGiven: boolean }) {
  const { t } = useText();
  const kind = markOf(permission, isGiven);
  const values = { count: role.memberCount };
  return (
    <span className={`p-meta ${panel.chip}`} data-kind={kind}>
      {kind === 'none'
        ? t(
            {
              id: 'permissions.why.none',
              defaultMessage: 'Not given to {count, plural, =0 {anybody yet} one {# person} other {# people}}',
            },
            values,
          )
        : kind === 'own'
          ? t(
              {
                id: 'permissions.why.own',
                defaultMessage: 'For their own: {count, plural, =0 {nobody yet} one {# person} other {# people}}',
              },
              values,
            )
          : t(
              {
                id: 'permissions.why.allowed',
                defaultMessage: 'Allowed for {count, plural, =0 {nobody yet} one {# person} other {# people}}',
              },
              values,
            )}
    </span>
  );
}

function Rules({ role, permission, edits }: Pick<Props, 'role' | 'permission' | 'edits'>) {
  const { t } = useText();
  const toRules = useRules();
  const resultOf = useResult();
  const isGiven = isWanted(edits, role, permission);
  const steps = explainAccess({ userId: '', permissions: isGiven ? [permission] : [] }, permission);
  const isOwn = markOf(permission, isGiven) === 'own';
  const rules = toRules(steps, role);
  if (isOwn)
    rules.push({
      key: 'ownership',
      kind: 'own',
      title: t({ id: 'permissions.why.ownRule', defaultMessage: 'Only for their own' }),
      text: t({ id: 'permissions.rule.ofOthersText', defaultMessage: 'Only its owner sees a chat, whatever the role' }),
    });
  const unsaved = isUnsaved(edits, role, permission)
    ? t({ id: 'permissions.why.unsaved', defaultMessage: 'Once it is saved' })
    : '';
  return <RuleChain rules={[...rules, resultOf(isOwn ? 'own' : isGiven ? 'allowed' : 'denied', unsaved)]} />;
}
