import '@testing-library/jest-dom/jest-globals';
import { afterEach } from '@jest/globals';
import { cleanup, configure } from '@testing-library/react';
import * as React from 'react';
import { TextDecoder, TextEncoder } from 'node:util';
import { installQuickComputedStyle } from './quick-computed-style.ts';

// A busy machine is slow, not wrong.
configure({ asyncUtilTimeout: 30_000 });
afterEach(cleanup);

Object.assign(globalThis, { TextEncoder, TextDecoder });

// For its warnings, React in development notes where each element was made, until it has noted enough: a seventh of the
// time of these tests.
type Internals = { readonly __CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE: object };
const internals = (React as unknown as Internals).__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE;
const enough = { get: () => Number.POSITIVE_INFINITY, set: () => undefined, configurable: true };
Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', enough);

// What Mantine and our own parts ask of a browser and jsdom lacks.
if (typeof window !== 'undefined') {
  installQuickComputedStyle();
  window.matchMedia ??= (query: string) => ({
    matches: false,
    media: query,
    onchange: null,
    addListener() {},
    removeListener() {},
    addEventListener() {},
    removeEventListener() {},
    dispatchEvent: () => false,
  });
  window.ResizeObserver ??= class {
    observe() {}
    unobserve() {}
    disconnect() {}
  };
  // A text field that grows looks again when its font has come.
  if (!('fonts' in document)) Object.defineProperty(document, 'fonts', { value: new EventTarget() });
  // As Chromium has it: nobody hands on what it gives.
  Element.prototype.scrollIntoView ??= (() => Promise.resolve()) as () => void;
  Element.prototype.scrollTo ??= () => undefined;
}

// The build puts the version in its place.
Object.assign(globalThis, { __RELEASE__: '0.0.0', IS_REACT_ACT_ENVIRONMENT: true });
