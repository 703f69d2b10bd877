import { createContext, useCallback, useContext, useEffect, useMemo, useState, type ReactNode } from 'react';
import { useText } from '../lib/text.ts';
import classes from './toast.module.css';

export type Toast = { text: ReactNode; undo?: () => void };
const visibleMs = 8000;
const context = createContext<(toast: Toast) => void>(() => undefined);

/** Only for an act whose place is gone or that can be undone; one at a time. */
export const useToast = () => useContext(context);

export function ToastProvider({ children }: { children: ReactNode }) {
  const { t } = useText();
  const [shown, setShown] = useState<(Toast & { key: number }) | null>(null);
  const [isHeld, setHeld] = useState(false);
  const show = useCallback((toast: Toast) => setShown((before) => ({ ...toast, key: (before?.key ?? 0) + 1 })), []);
  useEffect(() => {
    if (!shown || isHeld) return undefined;
    const timer = setTimeout(() => setShown(null), visibleMs);
    return () => clearTimeout(timer);
  }, [shown, isHeld]);
  const hold = useMemo(
    () => ({
      onPointerEnter: () => setHeld(true),
      onPointerLeave: () => setHeld(false),
      onFocus: () => setHeld(true),
      onBlur: () => setHeld(false),
    }),
    [],
  );
  return (
    <context.Provider value={show}>
      {children}
      <div className={classes.place} aria-live="polite">
        {shown ? (
          <div className={classes.toast} key={shown.key} {...hold}>
            <span className={classes.text}>{shown.text}</span>
            {shown.undo ? (
              <button
                type="button"
                className={classes.undo}
                onClick={() => {
                  shown.undo?.();
                  setShown(null);
                  setHeld(false);
                }}
              >
                {t({ id: 'toast.action.undo', defaultMessage: 'Undo' })}
              </button>
            ) : null}
          </div>
        ) : null}
      </div>
    </context.Provider>
  );
}
