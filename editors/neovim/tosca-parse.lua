-- Starts `tosca-parse server` for YAML files; YAML that is not TOSCA is ignored.
-- Copy this file to `~/.config/nvim/plugin/`. To set the command: vim.g.tosca_parse = "/path/to/tosca-parse"

local client

local function root(name)
  local git = vim.fn.finddir(".git", vim.fn.escape(vim.fn.fnamemodify(name, ":h"), " ,") .. ";")
  return vim.fn.fnamemodify(git ~= "" and git or name, git ~= "" and ":p:h:h" or ":p:h")
end

local function start(buffer)
  local config = {
    name = "tosca-parse",
    cmd = { vim.g.tosca_parse or "tosca-parse", "server" },
    root_dir = root(vim.api.nvim_buf_get_name(buffer)),
  }
  if vim.lsp.start then
    vim.lsp.start(config, { bufnr = buffer })
  else -- before 0.8
    client = client or vim.lsp.start_client(config)
    vim.lsp.buf_attach_client(buffer, client)
  end
end

vim.api.nvim_create_autocmd("FileType", {
  pattern = "yaml",
  callback = function(event)
    start(event and event.buf or vim.api.nvim_get_current_buf())
  end,
})

-- Draws the current file and opens the diagram.
vim.api.nvim_create_user_command("ToscaDiagram", function()
  local arguments = { command = "tosca-parse.diagram", arguments = { vim.uri_from_bufnr(0) } }
  vim.lsp.buf_request(0, "workspace/executeCommand", arguments, function(_, answer)
    if answer and answer.svg then
      local file = vim.fn.tempname() .. ".svg"
      vim.fn.writefile(vim.split(answer.svg, "\n"), file)
      vim.cmd("edit " .. file)
    else
      vim.notify(answer and answer.message or "no diagram available", vim.log.levels.WARN)
    end
  end)
end, {})
