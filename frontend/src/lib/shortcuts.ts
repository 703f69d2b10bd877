import { useEffect, useEffectEvent } from 'react';
import { readStored, writeStored } from './stored.ts';

type Keys = {
  /** What the layout writes, in lower case. */
  readonly key: string;
  /** The key's place on the keyboard: counts where the layout writes no Latin, such as an Arabic one. */
  readonly code?: string;
  /** With Ctrl, on a Mac with ⌘: such a shortcut works while one types, too. */
  readonly withControl?: true;
};

/**
 * All shortcuts of the product. None uses Alt, which writes characters on many layouts, nor one that browsers or screen
 * readers need.
 */
export const shortcuts = {
  help: [{ key: '?' }, { key: '؟' }, { key: '/', code: 'Slash', withControl: true }],
  search: [{ key: 'k', code: 'KeyK', withControl: true }],
  newChat: [{ key: 'n', code: 'KeyN' }],
  compose: [{ key: 'm', code: 'KeyM' }],
  editQuestion: [{ key: 'e', code: 'KeyE' }],
  copyAnswer: [{ key: 'c', code: 'KeyC' }],
  previousBranch: [{ key: 'k', code: 'KeyK' }],
  nextBranch: [{ key: 'j', code: 'KeyJ' }],
  stop: [{ key: '.', code: 'Period', withControl: true }],
} as const satisfies Record<string, readonly Keys[]>;
export type Shortcut = keyof typeof shortcuts;

export const isMac = (): boolean => /Mac|iPhone|iPad/.test(navigator.platform);

const singleKeysOff = 'parley.single-keys-off';
/** Off for people whose voice or hands press single keys by accident. */
export const hasSingleKeys = (): boolean => readStored<boolean>('local', singleKeysOff) !== true;
export const setSingleKeys = (isOn: boolean): void => void writeStored('local', singleKeysOff, isOn ? null : true);

const handlers = new Map<Shortcut, (() => void)[]>();

/** Does what the shortcut does, for a button or menu that names it. */
export const runShortcut = (name: Shortcut): void => handlers.get(name)?.at(-1)?.();

/** What the shortcut does while the component is there; null: nothing now. The newest component with a handler wins. */
export function useShortcut(name: Shortcut, handler: (() => void) | null): void {
  const run = useEffectEvent(() => handler?.());
  const isOn = handler !== null;
  useEffect(() => {
    if (!isOn) return undefined;
    const own = () => run();
    handlers.set(name, [...(handlers.get(name) ?? []), own]);
    return () => void handlers.set(name, handlers.get(name)?.filter((one) => one !== own) ?? []);
  }, [name, isOn]);
}

/** Listens to the keyboard; once, in the shell. */
export function useShortcutKeys(): void {
  useEffect(() => {
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, []);
}

function press(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing || event.repeat) return;
  const name = shortcutOf(event);
  if (name === null || (handlers.get(name) ?? []).length === 0) return;
  event.preventDefault();
  // A dialog has the keyboard for itself.
  if (document.querySelector('[aria-modal="true"]') === null) runShortcut(name);
}

/** Null where the keys mean nothing, or belong to what has the focus. */
export function shortcutOf(event: KeyboardEvent): Shortcut | null {
  const [control, other] = isMac() ? [event.metaKey, event.ctrlKey] : [event.ctrlKey, event.metaKey];
  if (event.altKey || other) return null;
  const names = Object.keys(shortcuts) as Shortcut[];
  const name = names.find((one) =>
    shortcuts[one].some((keys: Keys) => (keys.withControl ?? false) === control && isPressed(keys, event)),
  );
  return name === undefined || (!control && (isTaken(event.target) || !hasSingleKeys())) ? null : name;
}

function isPressed({ key, code }: Keys, event: KeyboardEvent): boolean {
  const isLatin = /^[\u0020-\u007e]$/.test(event.key);
  if (!isLatin && code !== undefined) return code === event.code && !event.shiftKey;
  // What is no letter may be written with Shift: it depends on the layout.
  return event.key.toLowerCase() === key && !(event.shiftKey && /[a-z]/.test(key));
}

/** Single keys write there, or choose from a list. */
function isTaken(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return (
    target.isContentEditable || target.matches(fields) || target.closest('[role="menu"], [role="listbox"]') !== null
  );
}
const fields = 'textarea, select, input:not([type="checkbox"], [type="radio"], [type="button"])';
