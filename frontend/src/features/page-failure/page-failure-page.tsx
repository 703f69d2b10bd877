import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ErrorTest } from '../../domain/error-test/error-tests.ts';
import { api } from '../../lib/http.ts';
import { newId } from '../../lib/new-id.ts';
import { useText } from '../../lib/text.ts';
import { FailureView } from '../../ui/failure-view.tsx';
import { Page } from '../../ui/page.tsx';

/** Throws while it renders, once the server has written down that somebody wanted it. */
export function PageFailurePage() {
  const { t } = useText();
  const [id] = useState(() => newId('errorTest'));
  const { data, error, mutate } = useMutation({
    mutationFn: () => api('POST /api/monitoring/error-tests', { body: { id, kind: 'page' }, retries: 2 }),
  });
  useEffect(() => mutate(), [mutate]);
  if (data) throw new ErrorTest(data);
  const title = t({ id: 'errorTest.page.title', defaultMessage: 'Error test' });
  if (!error) return null;
  return (
    <Page title={title}>
      <FailureView
        title={t({ id: 'errorTest.page.failed', defaultMessage: 'The error tests could not be loaded' })}
        error={error}
        onRetry={() => mutate()}
      />
    </Page>
  );
}
