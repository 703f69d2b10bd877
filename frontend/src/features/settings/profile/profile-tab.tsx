import { InputBase, TextInput } from '@mantine/core';
import { ChevronDown } from 'lucide-react';
import { useMemo, useState, type ReactNode } from 'react';
import { ownTimeZone, useFormats } from '../../../lib/formats.ts';
import { isLocale, locales } from '../../../lib/locale.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { useActionOff } from '../../../ui/stale.tsx';
import { AddressField } from './address-field.tsx';
import { AppearanceChoice } from './appearance-choice.tsx';
import { OutcomeNote } from './outcome-note.tsx';
import { PictureField } from './picture-field/index.tsx';
import { Section } from '../parts/section.tsx';
import { useProfileChanges, type ProfileChanges } from './use-profile-changes.ts';
import classes from '../parts/settings.module.css';

/** Each field saves by itself; what became of it stands below it. */
export function ProfileTab() {
  const { t } = useText();
  const changes = useProfileChanges();
  return (
    <>
      <Section
        title={t({ id: 'settings.profile.title', defaultMessage: 'Profile' })}
        about={t({ id: 'settings.profile.about', defaultMessage: 'What people in your organisations see of you.' })}
      >
        <PictureField changes={changes} />
        <NameField changes={changes} />
        <AddressField />
      </Section>
      <Section
        title={t({ id: 'settings.language.title', defaultMessage: 'Language and time' })}
        about={t({
          id: 'settings.language.about',
          defaultMessage: 'Texts and emails use your language, times on the screen your time zone.',
        })}
      >
        <div className={classes.pair}>
          <LocaleField changes={changes} />
          <TimeZoneField changes={changes} />
        </div>
      </Section>
      <Section
        title={t({ id: 'settings.appearance.title', defaultMessage: 'Appearance' })}
        about={t({
          id: 'settings.appearance.about',
          defaultMessage: 'For this device only; your other devices keep theirs.',
        })}
      >
        <AppearanceChoice />
      </Section>
    </>
  );
}

const asItIs = (value: string | null): string => value ?? '';

/** Saves on Enter and on leaving the field; Escape drops what was typed. */
function NameField({ changes }: { changes: ProfileChanges }) {
  const { t } = useText();
  const { me } = useTab();
  const off = useActionOff();
  const { outcome, save } = changes;
  const [draft, setDraft] = useState<string | null>(null);
  const waits = outcome?.change.field === 'name' && (outcome.kind === 'saving' || outcome.kind === 'failed');
  const shown = draft ?? (waits ? asItIs(outcome.change.value) : me.name);
  const leave = () => {
    const next = draft?.trim();
    if (off) return;
    setDraft(null);
    if (next && next !== me.name) save({ field: 'name', value: next });
  };
  return (
    <div className={classes.field}>
      <TextInput
        label={t({ id: 'settings.field.name', defaultMessage: 'Name' })}
        value={shown}
        maxLength={120}
        dir="auto"
        autoComplete="name"
        readOnly={off !== null}
        onChange={(event) => setDraft(event.currentTarget.value)}
        onBlur={leave}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !event.nativeEvent.isComposing) leave();
          if (event.key === 'Escape') setDraft(null);
        }}
      />
      <OutcomeNote field="name" {...changes} nameOf={asItIs} />
    </div>
  );
}

function LocaleField({ changes }: { changes: ProfileChanges }) {
  const { t } = useText();
  const { me } = useTab();
  const nameOf = (value: string | null) => locales.find(({ locale }) => locale === value)?.name ?? '';
  return (
    <Choice
      label={t({ id: 'settings.field.language', defaultMessage: 'Language' })}
      value={me.locale}
      onChoose={(value) => isLocale(value) && changes.save({ field: 'locale', value })}
      note={<OutcomeNote field="locale" {...changes} nameOf={nameOf} />}
    >
      {locales.map(({ locale, name }) => (
        <option key={locale} value={locale} lang={locale}>
          {name}
        </option>
      ))}
    </Choice>
  );
}

function TimeZoneField({ changes }: { changes: ProfileChanges }) {
  const { t } = useText();
  const { me } = useTab();
  const { exact } = useFormats();
  const [now] = useState(() => Date.now());
  const zones = useMemo(
    () =>
      [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone'), ...(me.timeZone ? [me.timeZone] : [])])].toSorted(),
    [me.timeZone],
  );
  const likeDevice = t(
    { id: 'settings.field.deviceZone', defaultMessage: 'As the device: {zone}' },
    { zone: ownTimeZone() },
  );
  return (
    <Choice
      label={t({ id: 'settings.field.timeZone', defaultMessage: 'Time zone' })}
      value={me.timeZone ?? ''}
      onChoose={(value) => changes.save({ field: 'timeZone', value: value || null })}
      note={
        <>
          <OutcomeNote field="timeZone" {...changes} nameOf={(value) => value ?? likeDevice} />
          <p className="p-meta">
            {t({ id: 'settings.field.example', defaultMessage: 'Like this: {time}' }, { time: exact(now) })}
          </p>
        </>
      }
    >
      <option value="">{likeDevice}</option>
      {zones.map((zone) => (
        <option key={zone} value={zone} dir="ltr">
          {zone}
        </option>
      ))}
    </Choice>
  );
}

type ChoiceProps = {
  label: string;
  value: string;
  onChoose: (value: string) => void;
  note: ReactNode;
  children: ReactNode;
};

function Choice({ label, value, onChoose, note, children }: ChoiceProps) {
  const off = useActionOff();
  return (
    <div className={classes.field}>
      <InputBase
        component="select"
        label={label}
        value={value}
        disabled={off !== null}
        rightSection={<ChevronDown />}
        rightSectionPointerEvents="none"
        onChange={(event) => onChoose(event.currentTarget.value)}
      >
        {children}
      </InputBase>
      {note}
    </div>
  );
}
