import { runDeployable } from '@parley/platform/process';
import { chatProcessConfig, openBlobs } from './chat-process.config.ts';
import { chatSettings, startChat } from './service.ts';

await runDeployable(chatProcessConfig, (config) => ({
  deployable: 'chat',
  name: `chat-${config.PARLEY_ROLE}`,
  sealingKey: config.PARLEY_SEALING_KEY,
  openBlobs: () => openBlobs(config),
  start: (platform) => startChat(platform, chatSettings(config, { workers: config.PARLEY_ROLE === 'worker' ? 1 : 0 })),
}));
