import { useRoleName } from '../../../domain/role/role-names.ts';
import { useText } from '../../../lib/text.ts';
import { SidePanel } from '../../../ui/side-panel.tsx';
import { useCatalogue } from '../../../domain/permission/permission-catalogue.ts';
import type { RoleChange } from '../role-edits.ts';
import { PeopleOf } from './people-of.tsx';
import panel from './panel.module.css';

/** Whom the unsaved changes concern: what each role gains and loses, and who has it. */
export function WhoPanel({ changes, onClose }: { changes: readonly RoleChange[]; onClose: () => void }) {
  const { t } = useText();
  const roleName = useRoleName();
  const { nameOf } = useCatalogue();
  return (
    <SidePanel title={t({ id: 'permissions.who.title', defaultMessage: 'Who gains, who loses' })} onClose={onClose}>
      {changes.map(({ role, added, taken }) => (
        <section key={role.id} className={panel.about}>
          <h3>
            <bdi>{roleName(role)}</bdi>
          </h3>
          <ul className={panel.change}>
            {added.map((permission) => (
              <li key={permission}>
                <span data-sign="plus">
                  {t({ id: 'permissions.who.gains', defaultMessage: '+ {right}' }, { right: nameOf(permission) })}
                </span>
              </li>
            ))}
            {taken.map((permission) => (
              <li key={permission}>
                <span data-sign="minus">
                  {t({ id: 'permissions.who.loses', defaultMessage: '− {right}' }, { right: nameOf(permission) })}
                </span>
              </li>
            ))}
          </ul>
          <PeopleOf
            of={{ role: role.id }}
            none={t({ id: 'permissions.people.none', defaultMessage: 'Nobody has this role.' })}
          />
        </section>
      ))}
    </SidePanel>
  );
}
