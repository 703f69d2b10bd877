import type { Menu as MantineMenu } from '@mantine/core';
import {
  cloneElement,
  createContext,
  useContext,
  useEffect,
  useRef,
  useState,
  type ComponentProps,
  type ComponentType,
  type ReactElement,
  type Ref,
} from 'react';
import { loadChunk } from '../lib/load-chunk.ts';

type Real = typeof MantineMenu;
type Part = 'Dropdown' | 'Search' | 'Item' | 'Label' | 'Divider' | 'CheckboxItem' | 'RadioGroup' | 'RadioItem';
type Held = {
  /** Null until this menu is asked for. */
  readonly real: Real | null;
  readonly target: Ref<HTMLElement>;
  ask(): void;
};

let loaded: Real | null = null;
const context = createContext<Held | null>(null);

/** Loads what draws menus; none is drawn differently for it until it is asked for. */
export async function loadMenus(): Promise<Real> {
  loaded ??= (await loadChunk(() => import('./menu-part.ts'))).Menu;
  return loaded;
}

/**
 * Mantine's menu, with the parts that are used here. What draws it is a tenth of all that a chat needs, so it comes
 * later: until somebody asks for a menu it is its button, and the click by which one asks opens it as soon as it can.
 */
function LateMenu(props: ComponentProps<Real>) {
  const [real, setReal] = useState(() => loaded);
  const target = useRef<HTMLElement>(null);
  const isAsked = useRef(false);
  useEffect(() => {
    if (!real || !isAsked.current) return;
    isAsked.current = false;
    target.current?.focus();
    target.current?.click();
  }, [real]);
  const ask = () => {
    isAsked.current = true;
    loadMenus().then(
      (menu) => setReal(() => menu),
      () => {
        isAsked.current = false;
      },
    );
  };
  const held = { real, target, ask };
  const Menu = real;
  return <context.Provider value={held}>{Menu ? <Menu {...props} /> : props.children}</context.Provider>;
}

function useHeld(): Held {
  const held = useContext(context);
  if (!held) throw new Error('A part of a menu stands outside of it.');
  return held;
}

function Target({ children }: { children: ReactElement<Record<string, unknown>> }) {
  const { real, target, ask } = useHeld();
  if (!real)
    return cloneElement(children, { ref: target, onClick: ask, 'aria-haspopup': 'menu', 'aria-expanded': false });
  return <real.Target>{cloneElement(children, { ref: target })}</real.Target>;
}

function partOf<Name extends Part>(name: Name): Real[Name] {
  function MenuPart(props: object) {
    const Drawn = useHeld().real?.[name] as ComponentType<object> | undefined;
    return Drawn ? <Drawn {...props} /> : null;
  }
  return MenuPart as unknown as Real[Name];
}

export const Menu = Object.assign(LateMenu, {
  Target,
  Dropdown: partOf('Dropdown'),
  Search: partOf('Search'),
  Item: partOf('Item'),
  Label: partOf('Label'),
  Divider: partOf('Divider'),
  CheckboxItem: partOf('CheckboxItem'),
  RadioGroup: partOf('RadioGroup'),
  RadioItem: partOf('RadioItem'),
});
