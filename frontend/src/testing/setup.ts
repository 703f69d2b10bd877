import '@testing-library/jest-dom/jest-globals';
import { configure } from '@testing-library/react';
import { TextDecoder, TextEncoder } from 'node:util';

// A busy machine is slow, not wrong.
configure({ asyncUtilTimeout: 5000 });

Object.assign(globalThis, { TextEncoder, TextDecoder });

// What Mantine and our own parts ask of a browser and jsdom lacks.
if (typeof window !== 'undefined') {
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
Object.assign(globalThis, { __RELEASE__: '0.0.0' });
