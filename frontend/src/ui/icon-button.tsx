import { ActionIcon, type ActionIconProps } from '@mantine/core';
import type { LucideIcon } from 'lucide-react';
import type { ComponentPropsWithRef } from 'react';
import { NavLink } from 'react-router-dom';
import { useTooltip } from './tooltip.tsx';

type Props = Omit<ActionIconProps, 'children'> &
  Omit<ComponentPropsWithRef<'button'>, keyof ActionIconProps> & {
    label: string;
    icon: LucideIcon;
    iconSize?: number;
    isMirrored?: boolean;
  };

/** An icon alone always has a name for screen readers and a tooltip for eyes; `title` adds a line to it. */
export function IconButton({ label, title, icon: Icon, iconSize = 16, isMirrored = false, ...rest }: Props) {
  const { handlers, tooltip } = useTooltip(
    <>
      {label}
      {title ? <br /> : null}
      {title}
    </>,
  );
  // What has opened a menu says in it what it is for.
  const isMenuOpen = rest['aria-haspopup'] !== undefined && rest['aria-expanded'] === true;
  return (
    <>
      <ActionIcon aria-label={label} aria-description={title} {...handlers} {...rest}>
        <Icon size={iconSize} className={isMirrored ? 'p-mirror' : undefined} />
      </ActionIcon>
      {isMenuOpen ? null : tooltip}
    </>
  );
}

type LinkProps = {
  label: string;
  icon: LucideIcon;
  to: string;
  isExact?: boolean;
  /** Links compare more than the path. */
  isElsewhere?: boolean;
  isMirrored?: boolean;
  className?: string | undefined;
};

export function IconLink({
  label,
  icon: Icon,
  to,
  isExact = false,
  isElsewhere = false,
  isMirrored = false,
  className,
}: LinkProps) {
  const { handlers, tooltip } = useTooltip(label);
  return (
    <>
      <ActionIcon
        component={NavLink}
        to={to}
        end={isExact}
        aria-current={isElsewhere ? 'false' : 'page'}
        aria-label={label}
        className={className}
        {...handlers}
      >
        <Icon className={isMirrored ? 'p-mirror' : undefined} />
      </ActionIcon>
      {tooltip}
    </>
  );
}
