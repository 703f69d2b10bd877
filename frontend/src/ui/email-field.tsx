import { TextInput, type TextInputProps } from '@mantine/core';
import type { Ref } from 'react';
import { useText } from '../lib/text.ts';

/** The address that somebody signs in with. */
export function EmailField(props: TextInputProps & { ref: Ref<HTMLInputElement> }) {
  const { t } = useText();
  return (
    <TextInput
      size="md"
      type="email"
      name="email"
      autoComplete="username"
      dir="auto"
      label={t({ id: 'signIn.field.email', defaultMessage: 'Work email' })}
      {...props}
    />
  );
}
