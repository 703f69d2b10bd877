import type { ErrorTestKind } from '@parley/contracts';
import { useText } from '../../lib/text.ts';

export const testedServices = ['auth', 'org', 'chat', 'billing', 'monitoring'] as const;

/** How each test is called. */
export function useTestNames(): (kind: ErrorTestKind) => string {
  const { t } = useText();
  return (kind) => {
    const [where, how] = kind.split('.');
    if (how === 'event')
      return t({ id: 'errorTest.name.event', defaultMessage: 'Error in {service}, event' }, { service: where });
    if (how === 'request')
      return t({ id: 'errorTest.name.service', defaultMessage: 'Error in {service}' }, { service: where });
    return {
      script: t({ id: 'errorTest.name.script', defaultMessage: 'Error in the browser' }),
      promise: t({ id: 'errorTest.name.promise', defaultMessage: 'Lost promise' }),
      render: t({ id: 'errorTest.name.render', defaultMessage: 'Error while rendering' }),
      page: t({ id: 'errorTest.name.page', defaultMessage: 'Page that throws' }),
      bff: t({ id: 'errorTest.name.bff', defaultMessage: 'Error in the BFF' }),
    }[kind as 'script' | 'promise' | 'render' | 'page' | 'bff'];
  };
}
