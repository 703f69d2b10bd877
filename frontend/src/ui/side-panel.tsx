import { X } from 'lucide-react';
import { useEffect, useEffectEvent, useRef, type ReactNode } from 'react';
import { useText } from '../lib/text.ts';
import { IconButton } from './icon-button.tsx';
import classes from './side-panel.module.css';

/** The work, and beside it what explains a part of it; where there is little room the panel lies over the work. */
export function SideBySide({ children, panel }: { children: ReactNode; panel: ReactNode }) {
  return (
    <div className={classes.split}>
      <div className={classes.main}>{children}</div>
      {panel}
    </div>
  );
}

/**
 * Escape closes it. Over the work it takes the focus and gives it back; beside the work the focus stays where it was,
 * unless the panel is opened to be filled in.
 */
export function SidePanel({
  title,
  isForm = false,
  onClose,
  children,
}: {
  title: string;
  isForm?: boolean;
  onClose: () => void;
  children: ReactNode;
}) {
  const { t } = useText();
  const panel = useRef<HTMLElement>(null);
  const close = useEffectEvent(onClose);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isInside =
        event.target instanceof Element && event.target.closest('[role="dialog"], [role="menu"]') !== null;
      if (event.key === 'Escape' && !isInside) close();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
  useEffect(() => {
    const opener = document.activeElement;
    const element = panel.current;
    if (isForm || matchMedia('(max-width: 1099px)').matches)
      element?.querySelector<HTMLElement>('[data-first]')?.focus();
    return () => {
      if (element?.contains(document.activeElement) && opener instanceof HTMLElement) opener.focus();
    };
  }, [isForm]);
  return (
    <aside ref={panel} className="p-panel" aria-label={title}>
      <header>
        <h2 className="p-h3">{title}</h2>
        <IconButton
          icon={X}
          label={t({ id: 'panel.close.label', defaultMessage: 'Close panel' })}
          data-first={isForm ? undefined : true}
          onClick={onClose}
        />
      </header>
      <div className={classes.body}>{children}</div>
    </aside>
  );
}
