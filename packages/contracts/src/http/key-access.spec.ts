import { expect, test } from '@jest/globals';
import { keyPermissions, permissions } from '../permissions.ts';
import { isOpenToKeys } from './key-access.ts';
import { routeEntries } from './routes.ts';

/**
 * Lists the routes for API keys, so that a newly opened route shows up in review. Every other route is closed to keys.
 */
const open = `
  acceptProviderOffer addToQueue answerAgain answerFeedback askForBudget askTrial branchConversation changeBudget changeChatbotDraft
  changeConnection changeCuratedAnswer changeFeedback changeManyRoles changeManyStatuses changeMemberGroups
  changeMemberRole changeMemberStatus changeTest changeWebhook checkAccess checkAddresses countBranch countBudgetRequests countFeedback createBudget
  createProject deleteProject getProject listProjects moveConversations restoreProject updateProject
  addProjectFile listProjectFiles removeProjectFile
  createChatbot createCompletion createConnection createCuratedAnswer createGroup createInvitationLink createProvider createRole
  createTest createWebhook decideRemoval deleteBudget deleteChatbot deleteConnection deleteConversation
  deleteCuratedAnswer deleteDocument deleteGroup deleteMessage deleteProvider deleteRole deleteTest deleteWebhook discardMessage downloadDocument downloadFile dropDraft editQueued
  dismissBudgetRequest endManyAccesses eraseConversation eraseDocument exportConversation followEvents getChatbotDraft getCompletionModel getConversation getDraft getEmbedding getFeedback getInvoice getMetrics
  getFileImage getFilePassage getMyUsage getOrder getPassage getQuotedAnswer getSeatOffer getSeats getSpend getTestRun getTitleSetting getTrial
  invitePeople listActiveUsers listAssignees listAudit listBudgets listChatbotDrafts listChatbotNames listChatbotVersions listChatbots
  listCompletionModels listConnectionUses listConnections listConversations listCuratedAnswers listDeletedConversations listDeletedDocuments listDeletedMessages listDeliveries listDocuments listFeedback
  listFeedbackReaders listFiles listGroupSpend listGroups listInvitations listInvoices listLedgerEntries listMembers
  listMessages listModels listMyAnswers listMyBudgets listMyFeedback listMyReveals listOrders listPath listPeople listPrices
  listProviderOffers listProviders listQueue listRoles listRunningAnswers listSpenders listTestRuns listTests listTrials
  listWebhooks markManyConversations markRead moveInConversation openDocument openFile placeOrder previewConnection publishChatbot rateAnswer readDocumentText readFileText readSharedMessages redeliver removeMember
  renameConversation renameGroup replaceDocument replaceInvitationLink requestApproval resendInvitation restoreConversation restoreDocument restoreMessage resumeQueue
  retryConnection retryDocument retryFile revokeInvitation saveDraft searchMessages sendMessage setTestGate setTitleSetting startTestRun stopAnyGeneration
  stopGeneration stopTestRun stopTrial syncConnection testProvider testSearch testWebhook updateOrganisation
  updateProvider updateRole uploadDocument uploadFile withdrawFeedback withdrawOrder withdrawQueued
`
  .trim()
  .split(/\s+/);

test('an API key can call exactly the listed routes', () => {
  const found = routeEntries.filter(([, route]) => isOpenToKeys(route)).map(([name]) => name);
  expect(found.toSorted()).toEqual(open.toSorted());
});

test('API keys open no route of a person, of the installation, of visitors or of services', () => {
  for (const [, route] of routeEntries) if (route.scope !== 'organisation') expect(isOpenToKeys(route)).toBe(false);
});

test('API keys can’t call routes for people only, even with the route’s permission', () => {
  const only = routeEntries.filter(([, route]) => 'people' in route);
  expect(only.length).toBeGreaterThan(0);
  for (const [, route] of only) {
    expect(keyPermissions).toContain(route.permission);
    expect(isOpenToKeys(route)).toBe(false);
  }
});

test('no API key creates or ends keys, transfers the organisation or reads names of people', () => {
  expect(permissions.filter((permission) => !keyPermissions.includes(permission)).toSorted()).toEqual([
    'apikey:manage_org',
    'apikey:manage_own',
    'org:transfer',
    'usage:read_person',
  ]);
});
