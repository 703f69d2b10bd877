import { Button, NativeSelect } from '@mantine/core';
import type { Member, Role } from '@parley/contracts';
import type { Permission } from '@parley/contracts/permissions';
import { useState } from 'react';
import { useText } from '../../../lib/text.ts';
import { ErrorNote } from '../../../ui/error-note.tsx';
import { SidePanel } from '../../../ui/side-panel.tsx';
import { isOwnOnly, useCatalogue } from '../../../domain/permission/permission-catalogue.ts';
import { useAccess, type Asked, type Thing } from '../queries.ts';
import { Person } from './people-of.tsx';
import { PersonSearch } from './person-search.tsx';
import { RuleChain, useResult, useRules } from './rule-chain.tsx';
import panel from './panel.module.css';

type Props = { roles: readonly Role[]; onClose: () => void };

/** May this person do that to such a thing? Answered by the server, with the rules that decide. */
export function AccessPanel({ roles, onClose }: Props) {
  const { t } = useText();
  const [person, setPerson] = useState<Member | null>(null);
  const [permission, setPermission] = useState<Permission>('chat:read');
  const [thing, setThing] = useState<Thing>('own');
  const asked = person && {
    userId: person.userId,
    permission,
    thing: isOwnOnly(permission) ? thing : ('organisation' as const),
  };
  return (
    <SidePanel title={t({ id: 'permissions.access.title', defaultMessage: 'Check access' })} isForm onClose={onClose}>
      {person ? (
        <div className={panel.chosen}>
          <Person member={person} />
          <Button variant="default" size="xs" onClick={() => setPerson(null)}>
            {t({ id: 'permissions.access.other', defaultMessage: 'Choose somebody else' })}
          </Button>
        </div>
      ) : (
        <PersonSearch
          isFirst
          label={t({ id: 'permissions.access.person', defaultMessage: 'Person' })}
          onChoose={setPerson}
        />
      )}
      <PermissionSelect permission={permission} onChange={setPermission} />
      <ThingSelect permission={permission} thing={thing} onChange={setThing} />
      {asked ? <Answer asked={asked} name={person.name} roles={roles} /> : null}
    </SidePanel>
  );
}

function PermissionSelect({
  permission,
  onChange,
}: {
  permission: Permission;
  onChange: (permission: Permission) => void;
}) {
  const { t } = useText();
  const { areas, nameOf } = useCatalogue();
  return (
    <NativeSelect
      label={t({ id: 'permissions.access.permission', defaultMessage: 'Wants to' })}
      value={permission}
      data={areas.map((area) => ({
        group: area.label,
        items: area.permissions.map((one) => ({ value: one, label: nameOf(one) })),
      }))}
      onChange={(event) => onChange(event.currentTarget.value as Permission)}
    />
  );
}

/** What is the organisation's has no owner among its people: there is nothing to choose. */
function ThingSelect({
  permission,
  thing,
  onChange,
}: {
  permission: Permission;
  thing: Thing;
  onChange: (thing: Thing) => void;
}) {
  const { t } = useText();
  const names: Record<Thing, string> = {
    organisation: t({ id: 'permissions.thing.organisation', defaultMessage: 'The organisation’s' }),
    own: t({ id: 'permissions.thing.own', defaultMessage: 'Their own' }),
    'of-others': t({ id: 'permissions.thing.ofOthers', defaultMessage: 'Somebody else’s' }),
  };
  const offered: Thing[] = isOwnOnly(permission) ? ['own', 'of-others'] : ['organisation'];
  return (
    <NativeSelect
      label={t({ id: 'permissions.access.thing', defaultMessage: 'Whose it is' })}
      value={isOwnOnly(permission) ? thing : 'organisation'}
      data={offered.map((value) => ({ value, label: names[value] }))}
      onChange={(event) => onChange(event.currentTarget.value as Thing)}
    />
  );
}

function Answer({ asked, name, roles }: { asked: Asked; name: string; roles: readonly Role[] }) {
  const { t } = useText();
  const toRules = useRules();
  const resultOf = useResult();
  const { nameOf } = useCatalogue();
  const { data, error } = useAccess(asked);
  if (error) return <ErrorNote error={error} />;
  if (!data) return <p className="p-meta">{t({ id: 'permissions.access.asking', defaultMessage: 'Checking' })}</p>;
  const role = roles.find(({ id }) => id === data.role) ?? { id: data.role ?? 'member', name: null };
  const kind = data.isAllowed ? 'allowed' : 'denied';
  const values = { name, right: nameOf(asked.permission) };
  return (
    <section className={panel.part} aria-live="polite">
      <span className={`p-meta ${panel.chip}`} data-kind={kind} style={{ justifySelf: 'start' }}>
        {data.isAllowed
          ? t({ id: 'permissions.access.yes', defaultMessage: 'Yes' })
          : t({ id: 'permissions.access.no', defaultMessage: 'No' })}
      </span>
      <RuleChain
        rules={[
          ...toRules(data.steps, role),
          resultOf(
            kind,
            data.isAllowed
              ? t({ id: 'permissions.access.may', defaultMessage: '{name} can do this: {right}' }, values)
              : t({ id: 'permissions.access.mayNot', defaultMessage: '{name} can’t do this: {right}' }, values),
          ),
        ]}
      />
    </section>
  );
}
