import type { ReactNode } from 'react';
import { useMemo } from 'react';
import { useIntl, type MessageDescriptor } from 'react-intl';

type Plain = Record<string, string | number | boolean | Date | null | undefined>;
type Rich = Record<string, ReactNode | ((chunks: ReactNode[]) => ReactNode)>;

/** `t` for texts, `rich` for texts with elements inside; both are known to the extraction of messages. */
export function useText() {
  const intl = useIntl();
  return useMemo(
    () => ({
      intl,
      t: (message: MessageDescriptor, values?: Plain): string =>
        intl.formatMessage(message, values as Record<string, string>),
      rich: (message: MessageDescriptor, values: Rich): ReactNode =>
        intl.formatMessage(message, values as Record<string, ReactNode>),
    }),
    [intl],
  );
}
