import type { Permission } from '@parley/contracts/permissions';
import { useState, type ReactNode } from 'react';
import { useCatalogue } from '../../../domain/permission/permission-catalogue.ts';
import { useText } from '../../../lib/text.ts';
import classes from '../parts/settings.module.css';

type Props = {
  /** What there is to choose from. */
  own: readonly Permission[];
  value: readonly Permission[];
  onChange: (permissions: readonly Permission[]) => void;
  error?: ReactNode;
};

/** All that one may, or some of it, by area. */
export function RightsChoice({ own, value, onChange, error }: Props) {
  const { t } = useText();
  const [isAll, setAll] = useState(value.length === own.length);
  const choose = (all: boolean) => {
    setAll(all);
    if (all) onChange(own);
  };
  return (
    <fieldset className={classes.rights}>
      <legend>{t({ id: 'settings.keys.rights', defaultMessage: 'Permissions' })}</legend>
      <label className={classes.right}>
        <input type="radio" name="permissions" checked={isAll} onChange={() => choose(true)} />
        {t({ id: 'settings.keys.rightsAll', defaultMessage: 'All permissions that you have today' })}
      </label>
      <label className={classes.right}>
        <input type="radio" name="permissions" checked={!isAll} onChange={() => choose(false)} />
        {t({ id: 'settings.keys.rightsSome', defaultMessage: 'Only some of it' })}
      </label>
      {isAll ? null : <ByArea own={own} value={value} onChange={onChange} />}
      {error ? (
        <p className={classes.rightsError} role="alert">
          {error}
        </p>
      ) : null}
    </fieldset>
  );
}

function ByArea({ own, value, onChange }: Omit<Props, 'error'>) {
  const { areas, nameOf } = useCatalogue();
  const toggle = (right: Permission, isIn: boolean) =>
    onChange(own.filter((one) => (one === right ? isIn : value.includes(one))));
  return (
    <div className={classes.areas}>
      {areas.map(({ key, label, permissions }) => {
        const offered = permissions.filter((right) => own.includes(right));
        if (offered.length === 0) return null;
        return (
          <fieldset key={key} className={classes.area}>
            <legend>{label}</legend>
            {offered.map((right) => (
              <label key={right} className={classes.right}>
                <input
                  type="checkbox"
                  checked={value.includes(right)}
                  onChange={(event) => toggle(right, event.currentTarget.checked)}
                />
                {nameOf(right)}
              </label>
            ))}
          </fieldset>
        );
      })}
    </div>
  );
}
