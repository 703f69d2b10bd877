import { Component, type ErrorInfo, type ReactNode } from 'react';
import { reportFailure } from '../lib/error-reports.ts';
import { ClientErrorPage, EnglishClientErrorPage, type ClientFailure } from './client-error-page.tsx';

type Props = { children: ReactNode; page: (failure: ClientFailure) => ReactNode };

class Boundary extends Component<Props, { failure: ClientFailure | null }> {
  override state: { failure: ClientFailure | null } = { failure: null };

  static getDerivedStateFromError(error: unknown) {
    const id = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0'));
    return { failure: { error, eventId: id.join(''), at: new Date().toISOString() } };
  }

  override componentDidCatch(error: unknown, info: ErrorInfo) {
    reportFailure({ error, eventId: this.state.failure?.eventId });
    console.error('client-side exception', this.state.failure?.eventId, error, info.componentStack); // oxlint-disable-line no-console -- the page sends people to the console
  }

  override render() {
    return this.state.failure ? this.props.page(this.state.failure) : this.props.children;
  }
}

/** In the language of the page. */
export function ErrorBoundary({ children }: { children: ReactNode }) {
  return <Boundary page={(failure) => <ClientErrorPage failure={failure} />}>{children}</Boundary>;
}

/** For failures before any texts are loaded. */
export function EnglishErrorBoundary({ children }: { children: ReactNode }) {
  return <Boundary page={(failure) => <EnglishClientErrorPage failure={failure} />}>{children}</Boundary>;
}
