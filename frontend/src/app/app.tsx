import { MantineProvider } from '@mantine/core';
import { BrowserRouter, Navigate, Route, Routes, useLocation } from 'react-router-dom';
import { preferredLocale } from '../lib/locale.ts';
import { cssVariablesResolver, theme } from '../ui/theme.ts';
import { EnglishErrorBoundary } from './error-boundary.tsx';
import { LocaleGate } from './locale-gate.tsx';
import { RootPage, RegisterRoute } from './visitor-routes.tsx';
import { SignedInGate } from './signed-in-gate.tsx';
import { VisitorFrame } from './visitor-frame.tsx';

/** The nonce that the server put into this very response; styles made at run time carry it. */
function styleNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
}

export function App() {
  return (
    <MantineProvider theme={theme} cssVariablesResolver={cssVariablesResolver} defaultColorScheme="auto" getStyleNonce={styleNonce}>
      <EnglishErrorBoundary>
        <BrowserRouter>
          <Routes>
            <Route path="/:locale" element={<LocaleGate />}>
              <Route element={<VisitorFrame />}>
                <Route index element={<RootPage />} />
                <Route path="register" element={<RegisterRoute />} />
              </Route>
              <Route path="*" element={<SignedInGate />} />
            </Route>
            <Route path="*" element={<ToLocale />} />
          </Routes>
        </BrowserRouter>
      </EnglishErrorBoundary>
    </MantineProvider>
  );
}

/** The server redirects addresses without a locale; this does the same when it did not. */
export function ToLocale() {
  const { pathname, search, hash } = useLocation();
  return <Navigate replace to={`/${preferredLocale()}${pathname === '/' ? '' : pathname}${search}${hash}`} />;
}
