import '@mantine/core/styles/Popover.css';
import '@mantine/core/styles/Menu.css';

export { Menu } from '@mantine/core';
