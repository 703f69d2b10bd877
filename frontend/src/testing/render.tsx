import { MantineProvider } from '@mantine/core';
import { render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { IntlProvider } from 'react-intl';
import { MemoryRouter } from 'react-router-dom';
import { theme } from '../ui/theme.ts';

/** English from the source code; a missing translation file is not an error here. */
export function IntlWrapper({ children }: { children: ReactNode }) {
  return (
    <IntlProvider locale="en" onError={() => undefined}>
      {children}
    </IntlProvider>
  );
}

export function Wrapper({ children, at = '/en' }: { children: ReactNode; at?: string }) {
  return (
    <IntlWrapper>
      <MantineProvider theme={theme} env="test">
        <MemoryRouter initialEntries={[at]}>{children}</MemoryRouter>
      </MantineProvider>
    </IntlWrapper>
  );
}

export function renderAt(at: string, node: ReactNode) {
  return render(<Wrapper at={at}>{node}</Wrapper>);
}
