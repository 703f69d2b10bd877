import { Laptop, Smartphone, Tablet, type LucideIcon } from 'lucide-react';
import { useText } from '../../../lib/text.ts';
import { deviceOf, type Device } from '@parley/contracts/device';

const icons: Readonly<Record<Device['kind'], LucideIcon>> = { computer: Laptop, phone: Smartphone, tablet: Tablet };

/** The words for a session's browser and for the device that it runs on. */
export function useDeviceWords() {
  const { t } = useText();
  const kinds = {
    computer: t({ id: 'settings.device.computer', defaultMessage: 'Computer' }),
    phone: t({ id: 'settings.device.phone', defaultMessage: 'Phone' }),
    tablet: t({ id: 'settings.device.tablet', defaultMessage: 'Tablet' }),
  };
  return (userAgent: string | null) => {
    const { browser, system, kind } = deviceOf(userAgent);
    return {
      browser: browser ?? t({ id: 'settings.device.unknown', defaultMessage: 'Unknown browser' }),
      device: system
        ? t({ id: 'settings.device.named', defaultMessage: '{kind}, {system}' }, { kind: kinds[kind], system })
        : t({ id: 'settings.device.unknownSystem', defaultMessage: 'Unknown device' }),
      icon: icons[kind],
    };
  };
}
