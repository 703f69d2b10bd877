// One window for all page tests of a worker, so React, Mantine and the testing library are loaded once. What a file
// leaves in it (page, storage, address, listeners of the window) goes after the file. ADR 0040.
import { JSDOM, VirtualConsole } from 'jsdom';

/** What both have and tests expect from the window: its parts accept only each other. */
const windowsOwn = new Set([
  'AbortController',
  'AbortSignal',
  'Blob',
  'CloseEvent',
  'CustomEvent',
  'DOMException',
  'Event',
  'EventTarget',
  'File',
  'FormData',
  'Headers',
  'MessageEvent',
  'Navigator',
  'WebSocket',
  'navigator',
]);
/** Fake timers replace them in one place. */
const timers = ['clearInterval', 'clearTimeout', 'queueMicrotask', 'setInterval', 'setTimeout'];
/** A browser has none of these, so a page that stops the clock doesn't stop them. */
export const nodesTimers = ['nextTick', 'setImmediate', 'clearImmediate'];
/** The set-up adds them to the window. */
const ofSetUp = ['matchMedia', 'ResizeObserver'];
const startTimers = ['setInterval', 'setTimeout'];

let window;
let shared = [];
let listeners = [];
let started = [];

/** Puts a window's names into the global scope, for one file. */
export function openWindow() {
  window ??= newWindow();
  shared = Object.getOwnPropertyNames(window).filter(
    (name) => !name.startsWith('_') && (!(name in globalThis) || windowsOwn.has(name)),
  );
  for (const name of [...shared, ...ofSetUp]) share(globalThis, name, window);
  for (const name of startTimers) {
    const start = globalThis[name];
    globalThis[name] = (...given) => {
      const timer = start(...given);
      started.push(timer);
      return timer;
    };
  }
}

function newWindow() {
  const virtualConsole = new VirtualConsole().sendTo(console, { omitJSDOMErrors: true });
  virtualConsole.on('jsdomError', (error) => console.error(error));
  const { window } = new JSDOM('<!DOCTYPE html>', {
    pretendToBeVisual: true,
    url: 'http://localhost/',
    virtualConsole,
  });
  for (const name of timers) share(window, name, globalThis);
  const add = window.addEventListener;
  window.addEventListener = function addEventListener(...given) {
    listeners.push(given);
    return add.apply(this ?? window, given);
  };
  return window;
}

/** Undoes what a file has done to the window, and takes its names out of the global scope. */
export async function closeWindow() {
  // What React has begun.
  await new Promise((resolve) => setImmediate(resolve));
  for (const [type, listener, options] of listeners) window.removeEventListener(type, listener, options);
  listeners = [];
  for (const timer of started) clearTimeout(timer);
  started = [];
  const { document, history, localStorage, sessionStorage } = window;
  for (const element of [document.documentElement, document.head, document.body])
    for (const name of element.getAttributeNames()) element.removeAttribute(name);
  document.head.replaceChildren();
  document.body.replaceChildren();
  localStorage.clear();
  sessionStorage.clear();
  history.replaceState(null, '', '/');
  for (const name of [...shared, ...ofSetUp]) delete globalThis[name];
}

/** Makes `name` of `to` the same thing as that of `from`, also after one of them is replaced. */
function share(to, name, from) {
  Object.defineProperty(to, name, {
    configurable: true,
    enumerable: true,
    get: () => from[name],
    set: (value) => {
      from[name] = value;
    },
  });
}
