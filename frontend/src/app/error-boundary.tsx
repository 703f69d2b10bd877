import { Component, type ErrorInfo, type ReactNode } from 'react';
import { ClientErrorPage, EnglishClientErrorPage, type ClientFailure } from './client-error-page.tsx';

type Props = { children: ReactNode; page: (failure: ClientFailure) => ReactNode };

class Boundary extends Component<Props, { failure: ClientFailure | null }> {
  override state: { failure: ClientFailure | null } = { failure: null };

  static getDerivedStateFromError(error: unknown) {
    const [number] = crypto.getRandomValues(new Uint32Array(1));
    const second = crypto.getRandomValues(new Uint16Array(1))[0] ?? 0;
    const id = `${(number ?? 0).toString(16).padStart(8, '0')}${second.toString(16).padStart(4, '0')}`;
    return { failure: { error, eventId: id.match(/.{4}/g)?.join('·') ?? id, at: new Date().toISOString() } };
  }

  override componentDidCatch(error: unknown, info: ErrorInfo) {
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
