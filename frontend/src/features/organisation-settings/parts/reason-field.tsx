import { TextInput } from '@mantine/core';
import { useText } from '../../../lib/text.ts';

const longestReason = 300;

type Props = {
  value: string;
  /** Somebody wanted to go on without. */
  isMissing: boolean;
  onChange: (reason: string) => void;
  onEnter: () => void;
};

/** Why something is taken from a person: for the audit log, and for them. */
export function ReasonField({ value, isMissing, onChange, onEnter }: Props) {
  const { t } = useText();
  return (
    <TextInput
      name="reason"
      label={t({ id: 'organisation.reason.label', defaultMessage: 'Reason' })}
      description={t({
        id: 'organisation.reason.about',
        defaultMessage: 'It’s recorded in the audit log, and the person can read it.',
      })}
      data-autofocus
      dir="auto"
      value={value}
      maxLength={longestReason}
      error={
        isMissing && value.trim() === ''
          ? t({ id: 'organisation.reason.missing', defaultMessage: 'Say why, in a few words.' })
          : undefined
      }
      onChange={(event) => onChange(event.currentTarget.value)}
      onKeyDown={(event) => event.key === 'Enter' && !event.nativeEvent.isComposing && onEnter()}
    />
  );
}
