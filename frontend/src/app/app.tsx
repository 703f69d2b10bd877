import { visitorPages } from '@parley/contracts/visitor-pages';
import { MantineProvider } from '@mantine/core';
import { LucideProvider } from 'lucide-react';
import { BrowserRouter, Route, Routes } from 'react-router-dom';
import { cssVariablesResolver, theme } from '../ui/theme.ts';
import { EnglishErrorBoundary } from './error-boundary.tsx';
import { LocaleGate } from './locale-gate.tsx';
import { visitorRoutes } from './visitor-routes.tsx';
import { SignedInGate } from './signed-in-gate.tsx';
import { ToLocale } from './to-locale.tsx';
import { VisitorFrame } from './visitor-frame.tsx';

/** The nonce that the server put into this very response; styles made at run time carry it. */
function styleNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
}

export function App() {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariablesResolver}
      defaultColorScheme="auto"
      getStyleNonce={styleNonce}
    >
      <LucideProvider size={16} strokeWidth={1.75}>
        <EnglishErrorBoundary>
          <BrowserRouter>
            <Routes>
              <Route path="/:locale" element={<LocaleGate />}>
                <Route element={<VisitorFrame />}>
                  {visitorPages.map(({ path, feature }) => {
                    const VisitorRoute = visitorRoutes[feature];
                    return <Route key={path} path={path} element={<VisitorRoute />} />;
                  })}
                </Route>
                <Route path="*" element={<SignedInGate />} />
              </Route>
              <Route path="*" element={<ToLocale />} />
            </Routes>
          </BrowserRouter>
        </EnglishErrorBoundary>
      </LucideProvider>
    </MantineProvider>
  );
}
