// SPDX-License-Identifier: GPL-2.0
/*
 * An FPGA manager for QEMU, whose Zynq has no configuration port (PCAP): a write of the kernel's own
 * driver never ends there. Its low-level part gives the bitstream's checksum to the model of the
 * programmable logic (pl_model), by a page of DDR. States and loading are those of the kernel's core.
 * The attributes `firmware` and `flags` are additions of linux-xlnx that mainline lacks.
 */
#include <linux/crc32.h>
#include <linux/device.h>
#include <linux/fpga/fpga-mgr.h>
#include <linux/io.h>
#include <linux/iopoll.h>
#include <linux/module.h>
#include <linux/of.h>
#include <linux/platform_device.h>

/* The page, which pl_model initializes before the machine starts. */
enum {
	PAGE_CONFIGURED = 0x0, /* 1: a design is loaded */
	PAGE_CHECKSUM = 0x4,   /* CRC-32 of the file */
	PAGE_REQUEST = 0x8,    /* counts loads; pl_model copies it to PAGE_ANSWER */
	PAGE_ANSWER = 0xc,
};
#define SYNC_WORD 0xaa995566
#define ANSWER_USEC 5000000

struct stand_in {
	void __iomem *page;
	u32 checksum;
	u32 flags;
};

static enum fpga_mgr_states read_state(struct fpga_manager *manager)
{
	struct stand_in *s = manager->priv;

	return readl(s->page + PAGE_CONFIGURED) ? FPGA_MGR_STATE_OPERATING : FPGA_MGR_STATE_UNKNOWN;
}

/* As the Zynq's driver: the words of the file are byte-swapped, and start with a synchronization word. */
static bool has_sync_word(const char *bytes, size_t count)
{
	size_t at;

	for (at = 0; at + 4 <= count; at += 4)
		if (le32_to_cpup((const __le32 *)(bytes + at)) == SYNC_WORD)
			return true;
	return false;
}

static int write_init(struct fpga_manager *manager, struct fpga_image_info *info, const char *bytes, size_t count)
{
	struct stand_in *s = manager->priv;

	s->checksum = ~0;
	if (has_sync_word(bytes, count))
		return 0;
	dev_err(&manager->dev, "no synchronization word: the file must be byte-swapped (.bin)\n");
	return -EINVAL;
}

static int write(struct fpga_manager *manager, const char *bytes, size_t count)
{
	struct stand_in *s = manager->priv;

	s->checksum = crc32_le(s->checksum, bytes, count);
	return 0;
}

static int write_complete(struct fpga_manager *manager, struct fpga_image_info *info)
{
	struct stand_in *s = manager->priv;
	u32 request = readl(s->page + PAGE_REQUEST) + 1, answer;

	writel(~s->checksum, s->page + PAGE_CHECKSUM);
	writel(request, s->page + PAGE_REQUEST);
	return readl_poll_timeout(s->page + PAGE_ANSWER, answer, answer == request, 1000, ANSWER_USEC);
}

static const struct fpga_manager_ops stand_in_ops = {
	.initial_header_size = 128, /* as the Zynq's driver */
	.state = read_state,
	.write_init = write_init,
	.write = write,
	.write_complete = write_complete,
};

static int load(struct fpga_manager *manager, const char *name)
{
	struct stand_in *s = manager->priv;
	struct fpga_image_info *info = fpga_image_info_alloc(&manager->dev);
	int error;

	if (!info)
		return -ENOMEM;
	info->flags = s->flags;
	info->firmware_name = devm_kstrdup(&manager->dev, name, GFP_KERNEL);
	error = info->firmware_name ? fpga_mgr_lock(manager) : -ENOMEM;
	if (!error) {
		error = fpga_mgr_load(manager, info);
		fpga_mgr_unlock(manager);
	}
	fpga_image_info_free(info);
	return error;
}

static ssize_t firmware_store(struct device *device, struct device_attribute *attribute, const char *text, size_t count)
{
	char name[256];
	int error;

	if (count == 0 || count >= sizeof(name))
		return -EINVAL;
	strscpy(name, text, count + 1);
	error = load(to_fpga_manager(device), strim(name));
	return error ? error : count;
}
static DEVICE_ATTR_WO(firmware);

static ssize_t flags_show(struct device *device, struct device_attribute *attribute, char *text)
{
	struct stand_in *s = to_fpga_manager(device)->priv;

	return sysfs_emit(text, "%x\n", s->flags);
}

static ssize_t flags_store(struct device *device, struct device_attribute *attribute, const char *text, size_t count)
{
	struct stand_in *s = to_fpga_manager(device)->priv;
	int error = kstrtou32(text, 16, &s->flags);

	return error ? error : count;
}
static DEVICE_ATTR_RW(flags);

static int probe(struct platform_device *device)
{
	struct stand_in *s = devm_kzalloc(&device->dev, sizeof(*s), GFP_KERNEL);
	struct fpga_manager *manager;
	int error;

	if (!s)
		return -ENOMEM;
	s->page = devm_platform_ioremap_resource(device, 0);
	if (IS_ERR(s->page))
		return PTR_ERR(s->page);
	manager = devm_fpga_mgr_register(&device->dev, "Xilinx Zynq FPGA Manager", &stand_in_ops, s);
	if (IS_ERR(manager))
		return PTR_ERR(manager);
	error = device_create_file(&manager->dev, &dev_attr_firmware);
	return error ? error : device_create_file(&manager->dev, &dev_attr_flags);
}

static const struct of_device_id matches[] = { { .compatible = "vta,fpga-stand-in" }, {} };

static struct platform_driver stand_in_driver = {
	.probe = probe,
	.driver = { .name = "vta-fpga-stand-in", .of_match_table = matches },
};
builtin_platform_driver(stand_in_driver);
