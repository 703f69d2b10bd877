import { Button, InputBase, TextInput } from '@mantine/core';
import type { Locale } from '@parley/contracts';
import { Check, ChevronDown } from 'lucide-react';
import { useMemo, type ReactNode } from 'react';
import { locales } from '../../../lib/locale.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import form from '../../../ui/form.module.css';
import { useActionOff } from '../../../ui/stale.tsx';
import { ErrorNote } from '../../../ui/error-note.tsx';
import classes from '../parts/organisation-settings.module.css';
import { ApprovalNote } from './approval-note.tsx';
import { useOrganisationSettings, type Settings } from './use-organisation-settings.ts';
import { ConsoleFrame } from '../parts/console-frame.tsx';

/** What the organisation is called, how its mails are written and when its days begin. */
export function GeneralTab() {
  const { organisation } = useTab();
  return (
    <ConsoleFrame>
      <GeneralForm key={organisation.id} />
    </ConsoleFrame>
  );
}

function GeneralForm() {
  const { t } = useText();
  const off = useActionOff();
  const { shown, change, save, discard, isChanged, saving, won } = useOrganisationSettings();
  const { name, timeZone, locale } = shown;
  const { slug } = useTab().organisation;
  const zones = useMemo(
    () => [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone'), timeZone])].toSorted(),
    [timeZone],
  );
  return (
    <form
      className={`${form.form} ${classes.general}`}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!off && name.trim() !== '') save();
      }}
    >
      <ApprovalNote />
      <TextInput
        name="name"
        label={t({ id: 'organisation.name.label', defaultMessage: 'Name' })}
        maxLength={80}
        dir="auto"
        value={name}
        readOnly={off !== null}
        error={
          name.trim() === ''
            ? t({ id: 'organisation.general.nameCheck', defaultMessage: 'Enter the name that its people see.' })
            : undefined
        }
        onChange={(event) => change({ name: event.currentTarget.value })}
      />
      <Choice
        label={t({ id: 'organisation.general.locale', defaultMessage: 'Language' })}
        about={t({
          id: 'organisation.general.localeAbout',
          defaultMessage: 'Used for invitations, and for emails to people who don’t have an account yet.',
        })}
        value={locale}
        onChoose={(value) => change({ locale: value as Locale })}
      >
        {locales.map((each) => (
          <option key={each.locale} value={each.locale} lang={each.locale}>
            {each.name}
          </option>
        ))}
      </Choice>
      <Choice
        label={t({ id: 'organisation.general.timeZone', defaultMessage: 'Time zone' })}
        about={t({
          id: 'organisation.general.timeZoneAbout',
          defaultMessage:
            'Budgets and monitoring begin their days and months in it; the sums in Billing use UTC. People see times in their own.',
        })}
        value={timeZone}
        onChoose={(value) => change({ timeZone: value })}
      >
        {zones.map((zone) => (
          <option key={zone} value={zone} dir="ltr">
            {zone}
          </option>
        ))}
      </Choice>
      <ErrorNote error={saving.error}>{won ? <Won settings={won} /> : null}</ErrorNote>
      {isChanged ? (
        <div className={form.actions}>
          <Button type="submit" loading={saving.isPending} {...off}>
            {t({ id: 'organisation.general.save', defaultMessage: 'Save changes' })}
          </Button>
          <Button variant="subtle" onClick={discard}>
            {t({ id: 'organisation.general.discard', defaultMessage: 'Discard' })}
          </Button>
        </div>
      ) : (
        <output className={classes.saved}>
          {saving.isSuccess ? (
            <>
              <Check size={14} />
              {t({ id: 'organisation.name.saved', defaultMessage: 'Saved' })}
            </>
          ) : (
            <>
              {t({ id: 'organisation.general.slug', defaultMessage: 'URL name' })}
              <code dir="ltr">?org={slug}</code>
            </>
          )}
        </output>
      )}
    </form>
  );
}

type ChoiceProps = {
  label: string;
  about: string;
  value: string;
  onChoose: (value: string) => void;
  children: ReactNode;
};

const Choice = ({ label, about, value, onChoose, children }: ChoiceProps) => (
  <InputBase
    component="select"
    label={label}
    description={about}
    rightSection={<ChevronDown />}
    rightSectionPointerEvents="none"
    value={value}
    onChange={(event) => onChoose(event.currentTarget.value)}
  >
    {children}
  </InputBase>
);

/** How it stands now, where another admin was faster: saving once more replaces that. */
function Won({ settings: { name, locale, timeZone } }: { settings: Settings }) {
  const { t } = useText();
  const language = locales.find((each) => each.locale === locale)?.name ?? locale;
  return (
    <div>
      {t(
        {
          id: 'organisation.general.won',
          defaultMessage: 'It is now: {name}, {language}, {timeZone}. Save once more to replace it with yours.',
        },
        { name, language, timeZone },
      )}
    </div>
  );
}
