import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { errorTestsQuery } from '../domain/error-test/error-tests.ts';
import { isProblem } from '../lib/http.ts';
import { FailureView } from '../ui/failure-view.tsx';
import { Page } from '../ui/page.tsx';
import { NotFoundRoute } from './not-found-route.tsx';

/** Whoever may make no errors finds no such page. */
export function ErrorTestGate({ label, children }: { label: string; children: ReactNode }) {
  const { data, error, refetch } = useQuery(errorTestsQuery);
  if (data) return children;
  if (isProblem(error, 'platform.not-found')) return <NotFoundRoute />;
  if (!error) return null;
  return (
    <Page title={label}>
      <FailureView title={label} error={error} onRetry={() => void refetch()} />
    </Page>
  );
}
