// SPDX-License-Identifier: GPL-2.0
/*
 * A stand-in for zocl, XRT's kernel module: its calls that allocate memory, with the kernel's own
 * contiguous memory (CMA). Off with the kernel's argument zocl_stand_in.off=1, for zocl itself.
 */
#include <drm/drm_drv.h>
#include <drm/drm_file.h>
#include <drm/drm_gem_dma_helper.h>
#include <drm/drm_ioctl.h>
#include <linux/dma-mapping.h>
#include <linux/module.h>
#include <linux/of.h>
#include <linux/platform_device.h>

static bool off;
module_param(off, bool, 0444);

struct create_bo { u64 size; u32 handle; u32 flags; };
struct map_bo { u32 handle; u32 padding; u64 offset; };
struct sync_bo { u32 handle; u32 direction; u64 offset; u64 size; };
struct info_bo { u32 handle; u32 flags; u64 size; u64 address; };

enum { CREATE_BO = 0x00, MAP_BO = 0x03, SYNC_BO = 0x04, INFO_BO = 0x05 };
#define FLAG_CACHEABLE BIT(24)

static const struct drm_gem_object_funcs buffer_functions = {
	.free = drm_gem_dma_object_free,
	.get_sg_table = drm_gem_dma_object_get_sg_table,
	.vmap = drm_gem_dma_object_vmap,
	.mmap = drm_gem_dma_object_mmap,
	.vm_ops = &drm_gem_dma_vm_ops,
};

/* Cached memory, which only syncs make visible to the FPGA. */
static struct drm_gem_object *create_object(struct drm_device *device, size_t size)
{
	struct drm_gem_dma_object *object = kzalloc(sizeof(*object), GFP_KERNEL);

	if (!object)
		return ERR_PTR(-ENOMEM);
	object->base.funcs = &buffer_functions;
	object->map_noncoherent = true;
	return &object->base;
}

static int create(struct drm_device *device, void *data, struct drm_file *file)
{
	struct create_bo *arguments = data;
	struct drm_gem_dma_object *object;
	int error;

	if (!(arguments->flags & FLAG_CACHEABLE))
		return -EINVAL; /* the driver under test asks for cached memory */
	object = drm_gem_dma_create(device, PAGE_ALIGN(arguments->size));
	if (IS_ERR(object))
		return PTR_ERR(object);
	error = drm_gem_handle_create(file, &object->base, &arguments->handle);
	drm_gem_object_put(&object->base);
	return error;
}

static int map(struct drm_device *device, void *data, struct drm_file *file)
{
	struct map_bo *arguments = data;

	return drm_gem_dumb_map_offset(file, device, arguments->handle, &arguments->offset);
}

static int sync(struct drm_device *device, void *data, struct drm_file *file)
{
	struct sync_bo *arguments = data;
	struct drm_gem_object *object = drm_gem_object_lookup(file, arguments->handle);
	dma_addr_t address;
	int error = 0;

	if (!object)
		return -ENOENT;
	address = to_drm_gem_dma_obj(object)->dma_addr + arguments->offset;
	if (arguments->offset > object->size || arguments->size > object->size - arguments->offset)
		error = -EINVAL;
	else if (arguments->direction == 0)
		dma_sync_single_for_device(device->dev, address, arguments->size, DMA_TO_DEVICE);
	else
		dma_sync_single_for_cpu(device->dev, address, arguments->size, DMA_FROM_DEVICE);
	drm_gem_object_put(object);
	return error;
}

static int info(struct drm_device *device, void *data, struct drm_file *file)
{
	struct info_bo *arguments = data;
	struct drm_gem_object *object = drm_gem_object_lookup(file, arguments->handle);

	if (!object)
		return -ENOENT;
	arguments->size = object->size;
	arguments->address = to_drm_gem_dma_obj(object)->dma_addr;
	drm_gem_object_put(object);
	return 0;
}

static const struct drm_ioctl_desc calls[] = {
	[CREATE_BO] = { DRM_IOWR(DRM_COMMAND_BASE + CREATE_BO, struct create_bo), DRM_RENDER_ALLOW, create, "CREATE_BO" },
	[MAP_BO] = { DRM_IOWR(DRM_COMMAND_BASE + MAP_BO, struct map_bo), DRM_RENDER_ALLOW, map, "MAP_BO" },
	[SYNC_BO] = { DRM_IOWR(DRM_COMMAND_BASE + SYNC_BO, struct sync_bo), DRM_RENDER_ALLOW, sync, "SYNC_BO" },
	[INFO_BO] = { DRM_IOWR(DRM_COMMAND_BASE + INFO_BO, struct info_bo), DRM_RENDER_ALLOW, info, "INFO_BO" },
};

DEFINE_DRM_GEM_DMA_FOPS(file_functions);

static const struct drm_driver drm_stand_in = {
	.driver_features = DRIVER_GEM | DRIVER_RENDER,
	.gem_create_object = create_object,
	.ioctls = calls,
	.num_ioctls = ARRAY_SIZE(calls),
	.fops = &file_functions,
	.name = "zocl",
	.desc = "stand-in",
	.date = "20261129",
	.major = 202210,
	.minor = 2,
};

static int probe(struct platform_device *device)
{
	struct drm_device *drm;
	int error;

	if (off)
		return -ENODEV;
	error = dma_coerce_mask_and_coherent(&device->dev, DMA_BIT_MASK(32));
	if (error)
		return error;
	drm = drm_dev_alloc(&drm_stand_in, &device->dev);
	if (IS_ERR(drm))
		return PTR_ERR(drm);
	return drm_dev_register(drm, 0);
}

static const struct of_device_id matches[] = { { .compatible = "xlnx,zocl" }, {} };

static struct platform_driver stand_in_driver = {
	.probe = probe,
	.driver = { .name = "zocl-stand-in", .of_match_table = matches },
};
builtin_platform_driver(stand_in_driver);
